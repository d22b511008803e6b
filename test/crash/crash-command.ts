import { readScriptArguments, readScriptNumber } from '../../bench/report/read-script-arguments.ts'
import { runSeededTestCommand, SEEDED_TEST_COMMAND_OPTIONS } from '../support/run-seeded-command.ts'
import { type CrashReport, runCrashRounds } from './crash-rounds.ts'

// Kills the sandbox at random moments and verifies that nothing acknowledged is lost: npm run crash -- --times 100 --seed 1 --json

const { values: options } = readScriptArguments({
  options: { times: { type: 'string', default: '100' }, ...SEEDED_TEST_COMMAND_OPTIONS },
})

process.exitCode = await run(readScriptNumber('--times', options.times), readScriptNumber('--seed', options.seed, 0))

async function run(times: number, seed: number): Promise<number> {
  const onRound = (round: number, problems: number) => progress(round, times, problems)
  return runSeededTestCommand({
    name: 'crash',
    seed,
    json: options.json,
    run: folder => runCrashRounds({ times, seed, folder, onRound }),
    rows,
  })
}

function progress(round: number, times: number, problems: number): void {
  const line = `${round}/${times} kills, ${problems === 0 ? 'nothing lost' : `${problems} problems`}`
  if (process.stderr.isTTY) process.stderr.write(`\r${line}${round === times ? '\n' : ''}`)
  else if (round % 10 === 0 || round === times) process.stderr.write(`${line}\n`)
}

function rows({ kills, calls, answered, unanswered, replayed, payments, webhooks, problems }: CrashReport) {
  return [
    ['kills under load', kills.load],
    ['kills while the clock was drained', kills.drain],
    ['kills during a start', kills.start],
    ['calls under a key', calls],
    ['  answered before the kill', answered],
    ['  not answered, and done', unanswered.done],
    ['  not answered, and not done', unanswered.notDone],
    ['keys that answered the same again', replayed],
    ['payments', payments],
    ['notifications', webhooks.sent],
    ['  of them twice', webhooks.twice],
    ['problems', problems.length],
  ] as const
}
