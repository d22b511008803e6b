import { dirname } from 'node:path'
import type { Exchange } from '../client/http-exchange.ts'
import { createRedactor, redactorOf } from '../client/redact-secrets.ts'
import { nowIso } from '../client/wall-clock.ts'
import type { CheckResult } from '../harness/judge/check.ts'
import type { Profile } from '../harness/profile/profile.ts'
import {
  describeUnreachable,
  isUnreadableResponse,
  transportErrorCure,
} from '../harness/profile/transport-error-cure.ts'
import { disabledLayersMember, type RunReport, redactResults } from '../harness/report/run-report.ts'
import { summarizeRun } from '../harness/report/run-summary.ts'
import { identifySuite } from '../harness/report/suite-name-and-digest.ts'
import { UnreachableError } from '../harness/run/command-errors.ts'
import type { PendingRun } from '../harness/run/pending-run.ts'
import { createScenarioPlayer } from '../harness/run/resumable-scenario-player.ts'
import { runScenarios, type ScenarioRun } from '../harness/run/run-scenarios.ts'
import { createStopSignal, type StopSignal } from '../harness/run/stop-signal.ts'
import { createTranscriptRecorder, type Transcript } from '../harness/run/transcript.ts'
import { findRemainingResources } from '../harness/safety/find-remaining-resources.ts'
import { createTransportGuard } from '../harness/safety/stop-budget-and-ledger-guard.ts'
import { totalSpent } from '../harness/safety/totals-of-write-ledger.ts'
import { createWriteLedger } from '../harness/safety/write-ledger.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { wrapWithPlayer } from './add-scenario-player-to-check-context.ts'
import { CHECK_REGISTRY, type RunTarget } from './chosen-profile-and-checks.ts'
import { recordRegistrations } from './record-key-and-webhook-registrations.ts'
import { cleanUp } from './remove-resources-left-by-run.ts'
import { collectPauses, linesBeside, pendingRun } from './save-paused-scenarios.ts'

/** Seconds after which a run is stopped where the profile sets no limit. */
const DEFAULT_SECONDS = 900

export type JudgedRun = {
  report: RunReport
  transcript: Transcript
  left: ReturnType<typeof findRemainingResources>
  /** What a later run has to play on; nothing on a simulator, whose clock is moved. */
  pending: Omit<PendingRun, 'digests'>
}

type JudgeOptions = {
  stop?: StopSignal
  ledgerFile?: string
  /** Whether scenarios with long waits may be left for `assay certify resume`. */
  canPause?: boolean
  /** Counts a check that differs as failed. */
  strict?: boolean
  /** Called once the service has responded. */
  onStart?(): void
  /** Called with each result, its secrets redacted. */
  onResult?(result: CheckResult): void
  onScenarioStart?(name: string): void
}

/** Judges a deployment: runs the scenarios, judges the checks, cleans up; returns report and transcript, redacted. */
export const judgeDeployment = async (target: RunTarget, watch: JudgeOptions = {}): Promise<JudgedRun> => {
  const { profile, tier, chosen } = target
  const stop = watch.stop ?? createStopSignal()
  const ledger = createWriteLedger(watch.ledgerFile, { onUnwritten: stop.stopForLedger })
  const guard = createTransportGuard(profile, { stop, ledger, paced: tier < 5 })
  const player = createScenarioPlayer()
  const wrappers = wrapWithPlayer(profile, player, {
    transport: guard.wrap,
    control: recordRegistrations(ledger, stop),
  })
  const context = createCheckContext(profile, tier, wrappers)
  const endLimit = limitTime(stop, profile)
  const startedAt = nowIso()
  try {
    await mustBeReachable(target, context)
    watch.onStart?.()
    const recorder = createTranscriptRecorder(context.transcript)
    const pauses = collectPauses(context, player, watch.canPause ?? false)
    const results = await runScenarios({
      scenarios: CHECK_SCENARIOS,
      profile,
      context,
      tier,
      chosen,
      stop,
      ...observers(context, [recorder, pauses], watch),
    })
    pauses.end()
    const folder = watch.ledgerFile && dirname(watch.ledgerFile)
    await cleanUp(context, { ...ledger, lines: linesBeside(pauses.scenarios, ledger.lines) }, folder)
    const redactor = createRedactor()
    const transcript = recorder.transcript(redactor)
    const checks = redactResults(results, redactor)
    const cause = stop.cause
    const report: RunReport = {
      ...createReportHead(target),
      startedAt,
      endedAt: nowIso(),
      spent: { calls: guard.counters.calls, ...totalSpent(ledger.lines) },
      ...(cause && { stopped: cause }),
      ...disabledLayersMember(checks),
      summary: summarizeRun(results, CHECK_REGISTRY.size, cause, watch.strict),
      checks,
    }
    const pending = pendingRun(pauses.scenarios, placed(context.transcript), redactor)
    return { report, transcript, left: findRemainingResources(ledger.lines), pending }
  } finally {
    endLimit()
    context.close()
  }
}

/** Returns the seconds after which a run ends: `budgets.seconds` of the profile, else the usual. */
export const limitSecondsOf = ({ budgets }: Profile): number => budgets?.seconds ?? DEFAULT_SECONDS

/** Stops a run when `budgets.seconds` of the profile is spent; returns the function that ends this limit. */
export const limitTime = (stop: StopSignal, profile: Profile): (() => void) => {
  const seconds = limitSecondsOf(profile)
  const reason = `budgets.seconds of the profile is spent: ${seconds}`
  const timeout = setTimeout(() => stop.stop({ reason }), seconds * 1000)
  return () => clearTimeout(timeout)
}

const placed = (list: readonly Exchange[]) => ({
  list,
  places: new Map(list.map((exchange, place) => [exchange, place])),
})

type ScenarioObserver = { onScenarioStart?(name: string): void; onScenarioEnd?(played: ScenarioRun): void }

const observers = (context: CheckContext, inside: readonly ScenarioObserver[], watch: JudgeOptions) => ({
  transcript: context.transcript,
  onScenarioStart: (name: string) => {
    for (const { onScenarioStart } of [...inside, watch]) onScenarioStart?.(name)
  },
  onScenarioEnd: (played: ScenarioRun) => {
    for (const { onScenarioEnd } of inside) onScenarioEnd?.(played)
  },
  ...(watch.onResult && { onResult: redacting(context.transcript, watch.onResult) }),
})

/** Hands on each result as a report tells it: a test runner prints it before there is one. */
const redacting = (transcript: readonly Exchange[], onResult: (result: CheckResult) => void) => {
  const redactor = redactorOf([])
  let learned = 0
  return (result: CheckResult): void => {
    for (const exchange of transcript.slice(learned)) redactor.learn(exchange)
    learned = transcript.length
    for (const shown of redactResults([result], redactor)) onResult(shown)
  }
}

/** Creates the members of a run report that describe what was to be judged. */
export const createReportHead = ({ profile, tier, only, again }: RunTarget) => ({
  format: 1 as const,
  suite: identifySuite(CHECK_SCENARIOS),
  profile: { name: profile.name, file: profile.file },
  target: profile.target,
  ...(profile.dialect && { dialect: profile.dialect }),
  ...(again !== undefined && { again }),
  tier,
  only,
})

/** Throws an UnreachableError unless the service responds to a key set call, whatever its status or form. */
export const mustBeReachable = async (
  { profile }: Pick<RunTarget, 'profile'>,
  { merchant: { request, transport, credentials } }: CheckContext,
): Promise<void> => {
  const { transportError } = await request('keySet', {}, { token: null })
  if (!transportError || isUnreadableResponse(transportError)) return
  // Who hangs or breaks off after a handshake is judged.
  if (await transport.session(credentials.baseUrl)) return
  const what = `${profile.target.baseUrl} ${describeUnreachable(transportError)}`
  throw new UnreachableError(`${what}: ${transportErrorCure(profile, transportError.code)}.`)
}
