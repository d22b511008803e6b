import { CallError } from '../client/call-errors.ts'
import { newStageOf, type Target } from '../explore/explore.ts'
import { openTarget } from '../explore/open-target.ts'
import { playPatiently } from '../explore/play-and-confirm-sequence.ts'
import type { Shrunk } from '../explore/shrink.ts'
import type { Step } from '../explore/step.ts'
import { describePlayed } from '../explore/tell/describe-step.ts'
import { findingText } from '../explore/tell/finding-text.ts'
import { hideSecretsOf } from '../explore/tell/hide-secrets-of-counterexample.ts'
import { Blocked, Untestable } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { ProfileError, readProfile } from '../harness/profile/read-profile.ts'
import { missingLineAdvice } from '../harness/profile/response-fields-and-line-advice.ts'
import { asSentence, showingTexts } from '../harness/report/exchange-text.ts'
import { inReportFolder } from '../harness/report/report-folder-lock.ts'
import { UnmeasuredError, UnsafeError } from '../harness/run/command-errors.ts'
import { createStopSignal, type StopSignal } from '../harness/run/stop-signal.ts'
import { createTransportGuard } from '../harness/safety/stop-budget-and-ledger-guard.ts'
import { createWriteLedger } from '../harness/safety/write-ledger.ts'
import { lastWords, wordsOnMissingToken } from '../scout/describe-last-refusal.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import { mustBeReachable } from './judge-deployment.ts'
import { cleanUp } from './remove-resources-left-by-run.ts'
import { openExploredLedger } from './write-explored-files.ts'

/** Sandbox writes: the least tier at which calls are random. */
const TIER = 3

/**
 * Runs a function with a check context that keeps the limits of the profile, then removes what was left, which the ledger
 * in `folder` names should the process be killed; refuses production (UnsafeError), and ends where the service issues no
 * access token or control fails (UnmeasuredError), or the profile does not say where the ids of payments are (ProfileError).
 */
export const withExploredContext = async <Value>(
  profile: Profile,
  stop: StopSignal,
  act: (context: CheckContext) => Promise<Value>,
  folder?: string,
): Promise<Value> => {
  const open = missingLineAdvice(profile, ['fields.initiate.transactionId'])
  if (open) throw new ProfileError(`Without the ids of payments nothing can be explored: ${open.reason}.`)
  if (profile.target.environment === 'production')
    throw new UnsafeError(`${profile.target.baseUrl} is production, where no random call is made: name a sandbox.`)
  return inReportFolder(folder, () => inContext(profile, stop, act, folder))
}

const inContext = async <Value>(
  profile: Profile,
  stop: StopSignal,
  act: (context: CheckContext) => Promise<Value>,
  folder?: string,
): Promise<Value> => {
  const isKept = folder !== undefined && !profile.control
  const ledger = isKept ? openExploredLedger(folder, profile, stop) : createWriteLedger()
  const before = ledger.lines.length
  const guard = createTransportGuard(profile, { stop, ledger, paced: true })
  const context = createCheckContext(profile, TIER, { transport: guard.wrap })
  try {
    await mustBeReachable({ profile }, context)
    return await act(context)
  } catch (error) {
    const shown = showingTexts(context.transcript)
    if (error instanceof CallError) throw new UnmeasuredError(`No access token: ${shown(whyNoToken(profile, error))}.`)
    if (error instanceof Blocked) throw new UnmeasuredError(asSentence(shown(error.message)))
    throw error instanceof Untestable ? new ProfileError(`${shown(error.message)}.`) : error
  } finally {
    if (!profile.control) await cleanUp(context, { ...ledger, lines: ledger.lines.slice(before) }, folder)
    context.close()
  }
}

const whyNoToken = (profile: Profile, { exchange, message }: CallError): string =>
  lastWords(profile, [exchange]) ?? wordsOnMissingToken(profile, [exchange]) ?? message

/**
 * Plays a sequence of explored calls once; undefined where every response is permitted. Throws an UnmeasuredError where
 * no call of it can be made, or not all its steps and those that were show no violation.
 */
export const replay = async (target: Target, steps: Step[]): Promise<Shrunk | undefined> => {
  const stage = await newStageOf(target)(target.abilities.control)
  const play = await playPatiently(stage, steps, target.rules)
  if (!play.played.some(({ exchange }) => exchange))
    throw new UnmeasuredError('No call of the sequence could be made: play one that begins a payment, or sets a mock.')
  if (play.violation) return { steps, play, shown: 1, replays: 1 }
  const unmade = steps.filter(step => play.played.every(one => one.step !== step))
  if (unmade.length === 0) return undefined
  const which = unmade.map(step => describePlayed({ step })).join(', and ')
  throw new UnmeasuredError(
    `No violation, but ${which} could not be made: explore this deployment anew for a sequence that it can play.`,
  )
}

type Sequence = {
  /** The profile file of the deployment. */
  profile: string
  /** What is used in place of the addresses and the kit of the profile. */
  baseUrl?: string
  kit?: string
  control?: string
  /** Steps of a sequence that `assay certify explore` has written. */
  steps: readonly Step[]
}

/**
 * Plays a sequence of explored calls against a deployment; resolves with the violation in words, with undefined where
 * there is none. Throws as `replay` does.
 */
export const replaySequence = async ({ profile, steps, ...overrides }: Sequence): Promise<string | undefined> =>
  withExploredContext(readProfile(profile, overrides), createStopSignal(), async context => {
    const shown = await replay(openTarget(context), [...steps])
    return shown && findingText(hideSecretsOf(shown, context.transcript))
  })
