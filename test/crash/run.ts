import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CrashReport, crash } from './rounds.ts'

// Kills the sandbox at random moments and proves that nothing was lost: npm run crash -- --times 100 --seed 1 --json

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    json: { type: 'boolean', default: false },
  },
})

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130)) // and the sandbox goes along
process.exitCode = await run(Number(options.times), Number(options.seed))

async function run(times: number, seed: number): Promise<number> {
  if (!(Number.isInteger(times) && times > 0 && Number.isInteger(seed))) {
    console.error('--times and --seed are whole numbers: npm run crash -- --times 100 --seed 1')
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'assay-crash-'))
  console.error(`Seed ${seed} (repeat with --seed ${seed})`)
  try {
    const report = await crash({ times, seed, folder, onRound: (round, problems) => progress(round, times, problems) })
    console.log(options.json ? JSON.stringify(report, null, 2) : table(report))
    if (report.problems.length === 0) rmSync(folder, { recursive: true })
    else console.error(`What is left of it is in ${folder}.`)
    return report.problems.length === 0 ? 0 : 1
  } catch (error) {
    console.error(`The proof stopped: ${(error as Error).message} What is left of it is in ${folder}.`)
    return 1
  }
}

function progress(round: number, times: number, problems: number): void {
  const line = `${round}/${times} kills, ${problems === 0 ? 'nothing lost' : `${problems} problems`}`
  if (process.stderr.isTTY) process.stderr.write(`\r${line}${round === times ? '\n' : ''}`)
  else if (round % 10 === 0 || round === times) process.stderr.write(`${line}\n`)
}

function table({ kills, calls, answered, unanswered, replayed, payments, webhooks, problems }: CrashReport): string {
  const rows: [string, number][] = [
    ['kills under load', kills.load],
    ['kills while the clock was drained', kills.drain],
    ['kills during a start', kills.start],
    ['calls under a key', calls],
    ['  answered before the kill', answered],
    ['  not answered, and done', unanswered.done],
    ['  not answered, and not done', unanswered.notDone],
    ['keys that answered the same again', replayed],
    ['payments', payments],
    ['notifications, all told', webhooks.told],
    ['  of them twice', webhooks.twice],
    ['problems', problems.length],
  ]
  const lines = rows.map(([what, figure]) => `${what.padEnd(36)}${figure.toLocaleString('en').padStart(9)}`)
  return [...lines, ...problems.slice(0, 20).map(problem => `- ${problem}`)].join('\n')
}
