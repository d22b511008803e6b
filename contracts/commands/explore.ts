import { resolve } from 'node:path'
import { type Explored, explore, newStageOf } from '../explore/explore.ts'
import { openTarget } from '../explore/open-target.ts'
import { parseReplayFile } from '../explore/replay-file.ts'
import { shrink } from '../explore/shrink.ts'
import type { TargetNames } from '../explore/tell/counterexample-files.ts'
import { findingText } from '../explore/tell/finding-text.ts'
import { readText } from '../harness/profile/read-profile.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { createStopSignal, type StopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import { TRANSITIONS } from '../model/lifecycle.ts'
import { visibleText } from '../protocol/visible-text.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { readRunTarget } from './chosen-profile-and-checks.ts'
import { limitTime } from './judge-deployment.ts'
import { replay, withExploredContext } from './replay-sequence.ts'
import type { OptionValues, Subcommand } from './subcommand.ts'
import { writeExploredFiles } from './write-explored-files.ts'

const DEFAULT_CALLS = 1000

/** Subcommand `explore`: plays random sequences of calls, and judges each response by the model of the contract. */
export const subcommand: Subcommand = {
  usage: 'explore --profile FILE [options]',
  description: `
Plays random sequences of calls against a sandbox: valid, borderline and wrong arguments, used keys, lost responses, other
organizations. Each response is judged by an executable model of the contract; what the document leaves open permits every
reading that the profile has not settled. A violation is played again with less until no shorter sequence shows it.

  assay certify explore --profile contracts/profiles/simulator.yaml --seed 7 --calls 3000

The same seed draws the same calls. The budgets of the profile hold. --report writes a violation into a folder, as a sequence
for --replay, a page with diagram and curl commands, and a test for vitest that fails; and how often each transition of the
lifecycle was visited.`,
  options: ['profile', 'base-url', 'kit', 'control', 'seed', 'calls', 'report', 'replay'],
  execute: async values => {
    const { profile } = readRunTarget(values)
    const stop = createStopSignal()
    const ignoreSignals = stopOnProcessSignals(stop)
    const endLimit = limitTime(stop, profile)
    try {
      return await withExploredContext(profile, stop, context => play(context, stop, values))
    } finally {
      endLimit()
      ignoreSignals()
    }
  },
}

const play = async (context: CheckContext, stop: StopSignal, values: OptionValues): Promise<number> => {
  const target = openTarget(context)
  const newStage = newStageOf(target)
  if (values.replay !== undefined) {
    const shown = await replay(target, parseReplayFile(values.replay, readText(values.replay)))
    return print(shown ? findingText(shown) : 'No violation.\n', shown)
  }
  const [seed, calls] = [numberOf('seed', values.seed, 1), numberOf('calls', values.calls, DEFAULT_CALLS)]
  const explored = await explore(target, { seed, calls, stop, onSequence: showProgress(calls) })
  const [found] = explored.findings
  const shrunk = found && (await shrink(() => newStage(found.isLong), found, target.rules))
  const files =
    values.report === undefined ? [] : writeExploredFiles(values.report, explored.coverage, shrunk, namesOf(values))
  const told = [...(shrunk ? [findingText(shrunk)] : []), summary(explored, seed, stop)].join('\n')
  return print(`${told}${files.map(file => `${file}\n`).join('')}`, shrunk)
}

/** How the deployment is named where it is to be found again, from any folder. */
const namesOf = ({ profile = '', 'base-url': baseUrl, kit, control }: OptionValues): TargetNames => ({
  profile: resolve(profile),
  ...(baseUrl !== undefined && { baseUrl }),
  ...(kit !== undefined && { kit: resolve(kit) }),
  ...(control !== undefined && { control }),
})

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
