import { createRedactor } from '../client/redact-secrets.ts'
import { nowIso } from '../client/wall-clock.ts'
import type { CheckResult } from '../harness/judge/check.ts'
import { disabledLayersMember, type RunReport, redactResults } from '../harness/report/run-report.ts'
import { summarizeRun } from '../harness/report/run-summary.ts'
import { identifySuite } from '../harness/report/suite-name-and-digest.ts'
import { UnreachableError } from '../harness/run/command-errors.ts'
import { runScenarios } from '../harness/run/run-scenarios.ts'
import { createStopSignal, type StopSignal } from '../harness/run/stop-signal.ts'
import { createTranscriptRecorder, type Transcript } from '../harness/run/transcript.ts'
import { findRemainingResources } from '../harness/safety/remaining-resources.ts'
import { totalSpent } from '../harness/safety/totals-of-write-ledger.ts'
import { createTransportGuard } from '../harness/safety/transport-guard.ts'
import { createWriteLedger } from '../harness/safety/write-ledger.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { CHECK_REGISTRY, type RunTarget } from './chosen-profile-and-checks.ts'
import { recordRegistrations } from './record-control-registrations.ts'
import { removeRemainingResources } from './remove-remaining-resources.ts'

/** Seconds after which a run is stopped where the profile sets no limit. */
const DEFAULT_SECONDS = 900

export type JudgedRun = { report: RunReport; transcript: Transcript; left: ReturnType<typeof findRemainingResources> }

export type JudgeOptions = {
  stop?: StopSignal
  ledgerFile?: string
  /** Counts a check that differs as failed. */
  strict?: boolean
  /** Called once the service has responded. */
  onStart?(): void
  onResult?(result: CheckResult): void
  onScenarioStart?(name: string): void
}

/** Judges a deployment: runs the scenarios, judges the checks, cleans up; returns report and transcript, redacted. */
export const judgeDeployment = async (target: RunTarget, watch: JudgeOptions = {}): Promise<JudgedRun> => {
  const { profile, tier, chosen } = target
  const stop = watch.stop ?? createStopSignal()
  const ledger = createWriteLedger(watch.ledgerFile)
  const guard = createTransportGuard(profile, { stop, ledger, paced: tier < 5 })
  const context = createCheckContext(profile, tier, { transport: guard.wrap, control: recordRegistrations(ledger) })
  const seconds = profile.budgets?.seconds ?? DEFAULT_SECONDS
  const timeout = setTimeout(
    () => stop.stop({ reason: `budgets.seconds of the profile is spent: ${seconds}` }),
    seconds * 1000,
  )
  const startedAt = nowIso()
  try {
    await mustBeReachable(target, context)
    watch.onStart?.()
    const recorder = createTranscriptRecorder(context.transcript)
    const results = await runScenarios({
      scenarios: CHECK_SCENARIOS,
      profile,
      context,
      tier,
      chosen,
      stop,
      ...observers(context, recorder, watch),
    })
    await removeRemainingResources(context, ledger)
    const redactor = createRedactor()
    const transcript = recorder.transcript(redactor)
    const cause = stop.cause
    const report: RunReport = {
      ...createReportHead(target),
      startedAt,
      endedAt: nowIso(),
      spent: { calls: guard.counters.calls, ...totalSpent(ledger.lines) },
      ...(cause && { stopped: cause }),
      ...disabledLayersMember(results),
      summary: summarizeRun(results, CHECK_REGISTRY.size, cause, watch.strict),
      checks: redactResults(results, redactor),
    }
    return { report, transcript, left: findRemainingResources(ledger.lines) }
  } finally {
    clearTimeout(timeout)
    context.close()
  }
}

const observers = (
  context: CheckContext,
  { onScenarioEnd }: ReturnType<typeof createTranscriptRecorder>,
  { onResult, onScenarioStart }: JudgeOptions,
) => ({
  transcript: context.transcript,
  onScenarioEnd,
  ...(onResult && { onResult }),
  ...(onScenarioStart && { onScenarioStart }),
})

/** Creates the members of a report that describe what was to be judged. */
export const createReportHead = ({ profile, tier, only }: RunTarget) => ({
  format: 1 as const,
  suite: identifySuite(CHECK_SCENARIOS),
  profile: { name: profile.name, file: profile.file },
  target: profile.target,
  ...(profile.dialect && { dialect: profile.dialect }),
  tier,
  only,
})

/** Throws unless the service responds to a key set call, with whatever status. */
const mustBeReachable = async ({ profile }: RunTarget, { merchant }: CheckContext): Promise<void> => {
  const { transportError } = await merchant.request('keySet', {}, { token: null })
  if (!transportError) return
  const { baseUrl } = profile.target
  throw new UnreachableError(
    `${baseUrl} cannot be reached (${transportError.code}: ${transportError.message}): is it running, and is the CA of the kit its own?`,
  )
}
