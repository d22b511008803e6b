import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { OUTAGES, type Outage, type OutageReport, sufferOutages } from './outages.ts'

// Kills replicas, and stops, cuts off and replaces their PostgreSQL under load: npm run outages -- --times 1 --seed 1 --json

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    replicas: { type: 'string', default: '2' },
    only: { type: 'string', default: OUTAGES.join() },
    json: { type: 'boolean', default: false },
  },
})

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130)) // and the replicas go along
process.exitCode = await run(Number(options.times), Number(options.seed), Number(options.replicas))

async function run(times: number, seed: number, replicas: number): Promise<number> {
  const wanted = OUTAGES.filter(outage => options.only.split(',').includes(outage))
  if (![times, seed, replicas].every(Number.isInteger) || times < 1 || replicas < 2 || wanted.length === 0) {
    console.error(`Whole numbers, at least two replicas, and --only of ${OUTAGES.join()}: npm run outages -- --times 1`)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'assay-outages-'))
  console.error(`Seed ${seed} (repeat with --seed ${seed})`)
  try {
    // A standby is promoted once, at the end: the service goes on over it.
    const [often, once] = [wanted.filter(outage => outage !== 'promote'), wanted.filter(outage => outage === 'promote')]
    const outages = [...Array.from({ length: times }, () => often).flat(), ...once]
    const report = await sufferOutages({ outages, seed, folder, replicas, onOutage: tell })
    if (!report) {
      console.error('There is no PostgreSQL on this machine: install the package postgresql, or put it on the path.')
      return 2
    }
    console.log(options.json ? JSON.stringify(report, null, 2) : table(report))
    if (report.problems.length === 0) rmSync(folder, { recursive: true })
    else console.error(`What is left of it is in ${folder}.`)
    return report.problems.length === 0 ? 0 : 1
  } catch (error) {
    console.error(`The proof stopped: ${(error as Error).stack} What is left of it is in ${folder}.`)
    return 1
  }
}

function tell(outage: Outage, problems: number): void {
  console.error(`${outage}: ${problems === 0 ? 'nothing lost' : `${problems} problems`}`)
}

function table(report: OutageReport): string {
  const { outages, calls, answers, refused, unanswered, longestMs, replayed, payments, webhooks, problems } = report
  const rows: [string, number][] = [
    ['a replica killed', outages.kill],
    ['PostgreSQL stopped at once', outages.immediate],
    ['PostgreSQL stopped in order', outages.fast],
    ['PostgreSQL cut off for ten seconds', outages.cut],
    ['replicas restarted in turn', outages.roll],
    ['a standby promoted', outages.promote],
    ['calls under a key', calls],
    ['answers of all kinds', answers],
    ['  answered with 500 first', refused],
    ['  not answered first', unanswered],
    ['longest call, ms', Math.round(longestMs)],
    ['keys that answered the same again', replayed],
    ['payments', payments],
    ['notifications, all told', webhooks.told],
    ['  of them twice', webhooks.twice],
    ['problems', problems.length],
  ]
  const lines = rows.map(([what, figure]) => `${what.padEnd(36)}${figure.toLocaleString('en').padStart(9)}`)
  return [...lines, ...problems.slice(0, 20).map(problem => `- ${problem.slice(0, 300)}`)].join('\n')
}
