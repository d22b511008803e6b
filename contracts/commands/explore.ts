import { type Explored, explore, newStageOf, playSequence } from '../explore/explore.ts'
import { openTarget } from '../explore/open-target.ts'
import { parseReplayFile } from '../explore/replay-file.ts'
import { type Shrunk, shrink } from '../explore/shrink.ts'
import { findingText } from '../explore/tell/finding-text.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { readText } from '../harness/profile/read-profile.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { UnsafeError, UsageError } from '../harness/run/command-errors.ts'
import { createStopSignal, type StopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import { createTransportGuard } from '../harness/safety/transport-guard.ts'
import { createWriteLedger } from '../harness/safety/write-ledger.ts'
import { TRANSITIONS } from '../model/lifecycle.ts'
import { visibleText } from '../protocol/visible-text.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import { readRunTarget } from './chosen-profile-and-checks.ts'
import { limitTime, mustBeReachable } from './judge-deployment.ts'
import { removeRemainingResources } from './remove-resources-left-by-run.ts'
import type { OptionValues, Subcommand } from './subcommand.ts'

/** Sandbox writes: the least tier at which calls are random. */
const TIER = 3
const DEFAULT_CALLS = 1000

/** Subcommand `explore`: plays random sequences of calls, and judges each response by the model of the contract. */
export const subcommand: Subcommand = {
  usage: 'explore --profile FILE [options]',
  description: `
Plays random sequences of calls against a sandbox: valid, borderline and wrong arguments, used keys, lost responses, other
organizations. Each response is judged by an executable model of the contract; what the document leaves open permits every
reading that the profile has not settled. A violation is played again with less until no shorter sequence shows it.

  assay certify explore --profile contracts/profiles/simulator.yaml --seed 7 --calls 3000

The same seed draws the same calls. The budgets of the profile hold.`,
  options: ['profile', 'base-url', 'kit', 'control', 'seed', 'calls', 'replay'],
  execute: async values => {
    const { profile } = readRunTarget(values)
    if (profile.target.environment === 'production')
      throw new UnsafeError(`${profile.target.baseUrl} is production, where no random call is made: name a sandbox.`)
    const stop = createStopSignal()
    const ignoreSignals = stopOnProcessSignals(stop)
    const endLimit = limitTime(stop, profile)
    try {
      return await withContext(profile, stop, context => play(context, stop, values))
    } finally {
      endLimit()
      ignoreSignals()
    }
  },
}

const withContext = async <Value>(
  profile: Profile,
  stop: StopSignal,
  act: (context: CheckContext) => Promise<Value>,
): Promise<Value> => {
  const ledger = createWriteLedger()
  const guard = createTransportGuard(profile, { stop, ledger, paced: true })
  const context = createCheckContext(profile, TIER, { transport: guard.wrap })
  try {
    await mustBeReachable({ profile }, context)
    return await act(context)
  } finally {
    if (!profile.control) await removeRemainingResources(context, ledger)
    context.close()
  }
}

const play = async (context: CheckContext, stop: StopSignal, values: OptionValues): Promise<number> => {
  const target = openTarget(context)
  const newStage = newStageOf(target)
  if (values.replay !== undefined) {
    const steps = parseReplayFile(values.replay, readText(values.replay))
    const played = await playSequence(await newStage(true), steps, target.rules)
    return print(
      played.violation ? findingText({ steps, play: played, shown: 1, replays: 1 }) : 'No violation.\n',
      played.violation,
    )
  }
  const [seed, calls] = [numberOf('seed', values.seed, 1), numberOf('calls', values.calls, DEFAULT_CALLS)]
  const explored = await explore(target, { seed, calls, stop, onSequence: showProgress(calls) })
  const shrunk: Shrunk[] = []
  for (const { steps, play: found, isLong } of explored.findings)
    shrunk.push(await shrink(() => newStage(isLong), { steps, play: found }, target.rules))
  return print([...shrunk.map(findingText), summary(explored, seed, stop)].join('\n'), shrunk.length > 0)
}

const numberOf = (name: string, text: string | undefined, usual: number): number => {
  if (text === undefined) return usual
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} is a whole number, not "${text}".`)
}

const showProgress = (calls: number) => (made: number) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${made < calls ? `${made} of ${calls} calls` : ''}`)
}

const summary = ({ calls, sequences, findings, coverage }: Explored, seed: number, { cause }: StopSignal): string => {
  const visited = `${TRANSITIONS.length - coverage.unvisited().length} of ${TRANSITIONS.length} transitions visited`
  const found = findings.length === 0 ? 'no violation' : 'a violation'
  const why = cause ? ` Stopped early: ${cause.reason}.` : ''
  return `Seed ${seed}: ${calls} calls in ${sequences} sequences, ${visited}, ${found}.${why}\n`
}

const print = (text: string, isViolated: unknown): number => {
  process.stdout.write(visibleText(text))
  return isViolated ? EXIT_CODES.failed : EXIT_CODES.fine
}
