import { readScriptArguments, readScriptNames, readScriptNumber } from '../../bench/report/read-script-arguments.ts'
import { findPostgresPrograms } from '../support/postgres-server.ts'
import { runSeededTestCommand, SEEDED_TEST_COMMAND_OPTIONS } from '../support/run-seeded-command.ts'
import { OUTAGES, type Outage, type OutageReport, runOutages } from './outage-rounds.ts'

// Kills replicas, and stops, disconnects and replaces their PostgreSQL under load: npm run outages -- --times 1 --seed 1 --json

const { values: options } = readScriptArguments({
  options: {
    times: { type: 'string', default: '1' },
    replicas: { type: 'string', default: '2' },
    only: { type: 'string', default: OUTAGES.join() },
    ...SEEDED_TEST_COMMAND_OPTIONS,
  },
})

process.exitCode = await run(
  readScriptNumber('--times', options.times),
  readScriptNumber('--seed', options.seed, 0),
  readScriptNumber('--replicas', options.replicas, 2),
)

async function run(times: number, seed: number, replicas: number): Promise<number> {
  const wanted = readScriptNames('--only', options.only, OUTAGES)
  if (findPostgresPrograms() === undefined) {
    console.error('There is no PostgreSQL on this machine: install the package postgresql, or put it on the path.')
    return 2
  }
  // A standby is promoted once, at the end: the service goes on over it.
  const [often, once] = [wanted.filter(outage => outage !== 'promote'), wanted.filter(outage => outage === 'promote')]
  const outages = [...Array.from({ length: times }, () => often).flat(), ...once]
  return runSeededTestCommand({
    name: 'outages',
    seed,
    json: options.json,
    run: folder => runOutages({ outages, seed, folder, replicas, onOutage: tell }),
    rows,
  })
}

function tell(outage: Outage, problems: number): void {
  console.error(`${outage}: ${problems === 0 ? 'nothing lost' : `${problems} problems`}`)
}

function rows(report: OutageReport) {
  const { outages, calls, answers, refused, unanswered, longestMs, replayed, payments, webhooks, problems } = report
  return [
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
    ['notifications', webhooks.sent],
    ['  of them twice', webhooks.twice],
    ['problems', problems.length],
  ] as const
}
