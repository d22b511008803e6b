import { join } from 'node:path'
import type { Exchange } from '../client/http-exchange.ts'
import { createRedactor } from '../client/redact-secrets.ts'
import { nowIso } from '../client/wall-clock.ts'
import type { CheckResult } from '../harness/judge/check.ts'
import { withExploration } from '../harness/report/exploration.ts'
import { REPORT_FILES, readReportFile } from '../harness/report/report-folder.ts'
import { disabledLayersMember, type RunReport, redactResults } from '../harness/report/run-report.ts'
import { summarizeRun } from '../harness/report/run-summary.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { type PendingRun, writePendingRun } from '../harness/run/pending-run.ts'
import { rejudgeRun } from '../harness/run/rejudge-run.ts'
import { createScenarioPlayer } from '../harness/run/resumable-scenario-player.ts'
import { runScenarios } from '../harness/run/run-scenarios.ts'
import type { StopSignal } from '../harness/run/stop-signal.ts'
import { createTranscriptRecorder, fromRecordedExchange, type Transcript } from '../harness/run/transcript.ts'
import { findRemainingResources } from '../harness/safety/find-remaining-resources.ts'
import { createTransportGuard } from '../harness/safety/stop-budget-and-ledger-guard.ts'
import { totalSpent } from '../harness/safety/totals-of-write-ledger.ts'
import { continueWriteLedger } from '../harness/safety/write-ledger.ts'
import { createCheckContext } from '../suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { wrapWithPlayer } from './add-scenario-player-to-check-context.ts'
import { CHECK_REGISTRY, type RunTarget } from './chosen-profile-and-checks.ts'
import { playOn } from './continue-paused-scenarios.ts'
import { createReportHead, type JudgedRun, limitTime, mustBeReachable } from './judge-deployment.ts'
import { recordRegistrations } from './record-key-and-webhook-registrations.ts'
import { cleanUp } from './remove-resources-left-by-run.ts'
import { createCallList } from './resumed-call-list.ts'
import { toResumedScenarios } from './resumed-scenarios.ts'
import { collectPauses, linesBeside, pendingRun } from './save-paused-scenarios.ts'

/** An earlier run as its report folder has it. */
export type SavedRun = { folder: string; report: RunReport; transcript: Transcript; pending: PendingRun }

/**
 * Resumes a saved certification run: plays the check scenarios still due and judges all checks again; returns undefined
 * where it was stopped. Every call is saved at once, so that a run that is stopped or killed repeats none of them.
 */
export const resumeRun = async (
  target: RunTarget,
  { folder, report: before, transcript, pending }: SavedRun,
  stop: StopSignal,
): Promise<JudgedRun | undefined> => {
  const { profile, tier, chosen } = target
  const text = readReportFile(folder, REPORT_FILES.ledger)
  const ledger = continueWriteLedger(join(folder, REPORT_FILES.ledger), text, stop.stopForLedger)
  const guard = createTransportGuard(profile, { stop, ledger, paced: tier < 5 })
  const uncounted = () => (pending.uncounted ?? 0) + guard.counters.calls
  const save = () => writePendingRun(folder, { ...pending, uncounted: uncounted() })
  const player = createScenarioPlayer(() => orStop(stop, save))
  const wrappers = wrapWithPlayer(profile, player, {
    transport: guard.wrap,
    control: recordRegistrations(ledger, stop),
  })
  const context = createCheckContext(profile, tier, wrappers)
  const exchanges = transcript.exchanges.map(fromRecordedExchange)
  const calls = createCallList(exchanges, pending)
  let endLimit: (() => void) | undefined
  try {
    await mustBeReachable(target, context)
    calls.take(context)
    const { played, waiting } = await playOn({
      scenarios: CHECK_SCENARIOS,
      pending: pending.scenarios,
      player,
      stop,
      limit: () => limitTime(stop, profile),
      calls: calls.list,
      createContext: given => createCheckContext(profile, tier, wrappers, given),
      takeCalls: calls.take,
    })
    if (stop.cause) return undefined
    endLimit = limitTime(stop, profile)
    const recorder = createTranscriptRecorder(calls.list, {
      recorded: new Map(exchanges.map((exchange, place) => [exchange, transcript.exchanges[place] as never])),
      same: calls.same,
    })
    const pauses = collectPauses(context, player, true)
    const kept = await secretVerdicts(target, before, transcript)
    const resumed = toResumedScenarios({ transcript, exchanges, played, kept, calls })
    const results = await runScenarios({
      scenarios: resumed.scenarios,
      profile,
      context,
      tier,
      chosen,
      stop,
      transcript: resumed.seen,
      onScenarioStart: pauses.onScenarioStart,
      onScenarioEnd: run => {
        recorder.onScenarioEnd(run)
        if (resumed.live.has(run.name)) pauses.onScenarioEnd(run)
      },
    })
    if (stop.cause) return undefined
    const left = [...waiting, ...pauses.scenarios]
    pauses.end()
    if (profile.secondOrganization) await context.secondOrganization().catch(() => undefined)
    await cleanUp(context, { ...ledger, lines: linesBeside(left, ledger.lines) }, folder)
    calls.take(context)
    const redactor = createRedactor({ earlier: pending.secrets })
    const whole = recorder.transcript(redactor)
    const checks = redactResults(
      results.map(result => withExchanges(result, calls.same)),
      redactor,
    )
    const spent = { calls: (before.spent?.calls ?? 0) + uncounted(), ...totalSpent(ledger.lines) }
    const judged: RunReport = {
      ...createReportHead(target),
      startedAt: before.startedAt,
      endedAt: nowIso(),
      spent,
      ...(before.stopped && { stopped: before.stopped }),
      ...disabledLayersMember(checks),
      summary: summarizeRun(results, CHECK_REGISTRY.size, before.stopped, before.summary.strict),
      checks,
    }
    return {
      report: withExploration(judged, before.explored),
      transcript: whole,
      left: findRemainingResources(ledger.lines),
      pending: pendingRun(left, calls, redactor),
    }
  } finally {
    endLimit?.()
    context.close()
    save()
  }
}

/** Saves a call; stops the run where that cannot be written, as what is not saved would be made again. */
const orStop = (stop: StopSignal, save: () => void): void => {
  try {
    save()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    stop.stopForLedger(error.message.replace(/\.$/, ''))
  }
}

/** Results that the transcript does not yield again, because it hides the secret that they judged. */
const secretVerdicts = async (
  target: RunTarget,
  { checks }: RunReport,
  transcript: Transcript,
): Promise<ReadonlyMap<string, CheckResult>> => {
  const again = new Map(
    (await rejudgeRun({ ...target, scenarios: CHECK_SCENARIOS, transcript })).map(({ id, verdict }) => [id, verdict]),
  )
  return new Map(checks.filter(({ id, verdict }) => again.get(id) !== verdict).map(result => [result.id, result]))
}

const withExchanges = (result: CheckResult, same: (exchange: Exchange) => Exchange): CheckResult => ({
  ...result,
  ...(result.exchange && { exchange: same(result.exchange) }),
  ...(result.control?.exchange && { control: { ...result.control, exchange: same(result.control.exchange) } }),
})
