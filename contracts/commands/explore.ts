import { resolve } from 'node:path'
import type { Coverage } from '../explore/coverage.ts'
import { type Explored, explore, newStageOf, type Target } from '../explore/explore.ts'
import { openTarget } from '../explore/open-target.ts'
import { parseReplayFile } from '../explore/replay-file.ts'
import { type Shrunk, shrink } from '../explore/shrink.ts'
import type { TargetNames } from '../explore/tell/counterexample-files.ts'
import { findingText } from '../explore/tell/finding-text.ts'
import { hideSecretsOf } from '../explore/tell/hide-secrets-of-counterexample.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { readText } from '../harness/profile/read-profile.ts'
import { asSentence } from '../harness/report/exchange-text.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { type Exploration, judgedInPartText, noViolationText, visitedText } from '../harness/report/exploration.ts'
import { UnmeasuredError, UsageError } from '../harness/run/command-errors.ts'
import { createStopSignal, type StopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import type { TRANSITIONS } from '../model/lifecycle.ts'
import { visibleText } from '../protocol/visible-text.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { reportToAddTo } from './add-exploration-to-report.ts'
import { readRunTarget } from './chosen-profile-and-checks.ts'
import { limitTime } from './judge-deployment.ts'
import { replay, withExploredContext } from './replay-sequence.ts'
import { saveWhatWasPrinted } from './save-what-was-printed.ts'
import { type OptionValues, refuseKeyWithoutReport, refuseUnused, type Subcommand } from './subcommand.ts'
import { clearExploredFiles, writeExploredFiles } from './write-explored-files.ts'

const DEFAULT_CALLS = 1000
const MOST_CALLS_UNTIL_COVERED = 100_000
/** The largest number of an option. */
const MOST = 999_999_999
const UNUSED_BY_REPLAY = ['seed', 'calls', 'until-covered', 'report', 'sign-key'] as const

/**
 * Subcommand `assay certify explore`: plays random sequences of calls, and judges each response by the model of the
 * contract.
 */
export const subcommand: Subcommand = {
  usage: 'explore --profile FILE [options]',
  description: `
Plays random sequences of calls against a sandbox: valid, borderline and wrong arguments, used keys, lost responses, other
organizations. Each response is judged by an executable model of the contract; what the document leaves open permits every
reading that the profile has not settled. A violation is played again with less until no shorter sequence shows it.

  assay certify explore --profile contracts/profiles/simulator.yaml --seed 7 --calls 3000

The same seed draws the same calls. The budgets of the profile hold. --report writes a violation into a folder, as a sequence
for --replay, a page with diagram and curl commands, a test for vitest that fails, and a scenario for the simulator; and how
often each transition of the lifecycle was visited. Where the folder holds the report of a run, what was found is added to that
report and its certificate.`,
  options: [
    ...(['profile', 'base-url', 'kit', 'control', 'seed', 'calls', 'until-covered', 'report', 'sign-key'] as const),
    'replay',
  ],
  execute: async values => {
    if (values.replay !== undefined) refuseUnused(values, UNUSED_BY_REPLAY, 'with --replay')
    refuseKeyWithoutReport(values)
    const { profile } = readRunTarget(values)
    const stop = createStopSignal()
    const ignoreSignals = stopOnProcessSignals(stop)
    const endLimit = limitTime(stop, profile)
    try {
      return await withExploredContext(profile, stop, context => play(context, stop, values), values.report)
    } finally {
      endLimit()
      ignoreSignals()
    }
  },
}

const play = async (context: CheckContext, stop: StopSignal, values: OptionValues): Promise<number> => {
  const target = openTarget(context)
  if (values.replay !== undefined) {
    const shown = await replay(target, parseReplayFile(values.replay, readText(values.replay)))
    return print(shown ? findingText(hideSecretsOf(shown, context.transcript)) : 'No violation.\n', shown)
  }
  const untilCovered = values['until-covered'] ?? false
  const usualCalls = untilCovered ? MOST_CALLS_UNTIL_COVERED : DEFAULT_CALLS
  const [seed, calls] = [numberOf('seed', values.seed, 1), numberOf('calls', values.calls, usualCalls, 1)]
  const addToReport = values.report && reportToAddTo(values.report, target.profile, values['sign-key'])
  if (values.report !== undefined) clearExploredFiles(values.report) // a folder that cannot be written is found before the calls
  const isCovered = (coverage: Coverage) => untilCovered && coverage.unvisited().length === 0
  const explored = await explore(target, { seed, calls, stop, onSequence: showProgress(calls), isCovered, whyEnded })
  const told = await counterexampleOf(target, explored)
  if (!told && !stop.cause && explored.coverage.transitions.size === 0)
    throw new UnmeasuredError(
      explored.ended
        ? `Nothing was judged: ${asSentence(explored.ended)}`
        : `Nothing was judged: in ${explored.calls} calls no payment came as far as one transition; certify the deployment by "assay certify" first, or make more --calls.`,
    )
  const shrunk = told && hideSecretsOf(told, context.transcript)
  const shown = shrunk && shrunk.shown > 0 ? shrunk : undefined
  const unseen = shrunk && !shown ? 'what it found shows in no replay' : undefined
  const stopped = stop.cause?.reason ?? explored.ended ?? unseen
  const whole = explorationOf(explored, shrunk, seed, stopped)
  const text = [...(shrunk ? [findingText(shrunk)] : []), summary(whole, explored.unapproved)].join('\n')
  const left = untilCovered ? explored.coverage.unvisited().map(notVisited) : []
  const code = print(`${text}${asLines(left)}`, shown)
  return saveWhatWasPrinted(
    code === EXIT_CODES.fine && (stopped || left.length > 0) ? EXIT_CODES.incomplete : code,
    () =>
      values.report && print(asLines(writeExploredFiles(values.report, explored.coverage, shrunk, namesOf(values)))),
    async () => addToReport && print(asLines(await addToReport(whole))),
  )
}

/** A control address that fails in the middle ends an exploration with what it has shown. */
const whyEnded = (error: unknown): string | undefined => (error instanceof Blocked ? error.message : undefined)

/** The shortest sequence that shows what was found; what an early end kept from being confirmed stays as it was drawn. */
const counterexampleOf = async (target: Target, { findings, unconfirmed }: Explored): Promise<Shrunk | undefined> => {
  const [found] = findings
  return found
    ? shrink(() => newStageOf(target)(found.isLong), found, target.rules)
    : unconfirmed && { ...unconfirmed, shown: 0, replays: 0 }
}

const asLines = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('')

const notVisited = ([from, cause, outcome, to, clause]: (typeof TRANSITIONS)[number]): string =>
  `Not visited: ${from} → ${to} by ${cause}, ${outcome} (${clause})`

/** What an exploration showed, for a report. */
const explorationOf = (
  { calls, sequences, judgedInPart, coverage }: Explored,
  shrunk: Shrunk | undefined,
  seed: number,
  stopped: string | undefined,
): Exploration => ({
  ...{ seed, calls, sequences },
  ...(judgedInPart > 0 && { judgedInPart }),
  ...coverage.counts(),
  ...(stopped && { stopped }),
  ...(shrunk?.shown === 0 && { unconfirmed: 1 }),
  violations: shrunk?.shown
    ? [
        {
          clauses: shrunk.play.violation?.clauses ?? [],
          story: findingText(shrunk).trimEnd().split('\n'),
          shown: shrunk.shown,
          replays: shrunk.replays,
        },
      ]
    : [],
})

/** How the deployment is named where it is to be found again, from any folder. */
const namesOf = ({ profile = '', 'base-url': baseUrl, kit, control }: OptionValues): TargetNames => ({
  profile: resolve(profile),
  ...(baseUrl !== undefined && { baseUrl }),
  ...(kit !== undefined && { kit: resolve(kit) }),
  ...(control !== undefined && { control }),
})

const numberOf = (name: string, text: string | undefined, usual: number, least = 0): number => {
  if (text === undefined) return usual
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= MOST) return Number(text)
  throw new UsageError(`--${name} is a whole number from ${least} to ${MOST}, not "${text}".`)
}

const showProgress = (calls: number) => (made: number) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${made < calls ? `${made} of ${calls} calls` : ''}`)
}

const summary = (explored: Exploration, unapproved: number): string => {
  const { seed, calls, sequences, judgedInPart = 0, violations, unconfirmed = 0, stopped } = explored
  const visited = visitedText(explored)
  const found = violations.length === 0 ? noViolationText(unconfirmed) : 'a violation'
  const short = judgedInPart > 0 ? ` ${judgedInPartText(judgedInPart)}.` : ''
  const absent = unapproved > 0 ? ` ${unapprovedText(unapproved)}.` : ''
  const why = stopped ? ` Stopped early: ${asSentence(stopped)}` : ''
  return `Seed ${seed}: ${calls} calls in ${sequences} sequences, ${visited}, ${found}.${short}${absent}${why}\n`
}

const unapprovedText = (count: number): string =>
  `${count} ${count === 1 ? 'shopper' : 'shoppers'} did not approve by the driver of the profile: "assay certify run" tells why`

const print = (text: string, isViolated?: unknown): number => {
  process.stdout.write(visibleText(text))
  return isViolated ? EXIT_CODES.failed : EXIT_CODES.fine
}
