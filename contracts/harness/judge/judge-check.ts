import { CallError, NoResponse } from '../../client/call-errors.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import { controlIdFor, missingCapabilityReason } from '../profile/capabilities-that-checks-need.ts'
import type { Profile } from '../profile/profile.ts'
import { lackedAbilityReason, longWaitReason, missingLineAdvice } from '../profile/response-fields-and-line-advice.ts'
import type { Check, CheckResult, CheckScenario, Tier, Verdict } from './check.ts'
import { createExpect } from './check-assertions.ts'
import { EmptyCell, type GridRowError } from './judge-grid-cells.ts'
import type { Evidence } from './scenario-evidence.ts'
import { untestableEndpointReason } from './untestable-endpoint-reason.ts'
import { Blocked, Inconclusive, Mismatch, StillWaiting, Untestable, Withheld } from './verdict-errors.ts'

/** Verdict of a check with its reasons, before it becomes a result. */
export type Judgment = { verdict: Verdict } & Partial<
  Pick<CheckResult, 'knownAs' | 'reason' | 'line' | 'expected' | 'got' | 'exchange' | 'cells' | 'durationMs' | 'waits'>
>
/** Judgment of a check, with the exchanges that the check looked at, in order. */
export type EvidencedJudgment = Judgment & { looked?: readonly Exchange[] }

/** Judges a check without evidence: not applicable, withheld, untestable or blocked; undefined if none applies. */
export const judgeWithoutEvidence = (
  scenario: Pick<CheckScenario<never>, 'tier' | 'needs'>,
  check: Check,
  results: ReadonlyMap<string, CheckResult>,
  { profile, tier }: { profile: Profile; tier: Tier },
): EvidencedJudgment | undefined => {
  const needs = [...(scenario.needs ?? []), ...(check.needs ?? [])]
  const exempt =
    profile.notApplicable?.[check.id] ??
    missingCapabilityReason(profile, check.id) ??
    check.exempt?.(profile) ??
    lackedAbilityReason(profile, needs)
  if (exempt) return { verdict: 'not applicable', reason: exempt }
  const wanted = check.tier ?? scenario.tier
  if (wanted > tier) return { verdict: 'withheld', reason: `tier ${wanted}, and this run goes to tier ${tier}` }
  const long = longWaitReason(profile, needs)
  if (long) return { verdict: 'withheld', reason: long }
  const open = missingLineAdvice(profile, needs)
  if (open) return { verdict: 'untestable', ...open }
  const control = results.get(controlIdFor(profile, check.control) ?? '')
  if (control?.waits)
    return {
      verdict: 'inconclusive',
      reason: `its control ${control.id} waits: ${control.reason}`,
      waits: control.waits,
    }
  if (control?.verdict === 'withheld')
    return { verdict: 'withheld', reason: `its control ${control.id} is withheld: ${control.reason}` }
  if (control && !isPassed(control, profile))
    return {
      verdict: 'blocked',
      reason: `its control ${control.id} did not pass: ${control.verdict}`,
      ...lineOf(control),
    }
}

/** Returns the member that names the profile line which a result or an error waits for, if any. */
const lineOf = ({ line }: { line?: string | undefined }) => (line === undefined ? {} : { line })

/** Whether a control counts as passed; so does a known failure that did not occur, and a scouted pass. */
const isPassed = ({ id, verdict }: CheckResult, profile: Profile): boolean =>
  verdict === 'pass' || verdict === 'stale' || (verdict === 'observed' && scoutedBy(profile, id) !== undefined)

/** Returns the profile line that was scouted from the evidence of this check, which therefore cannot confirm it. */
const scoutedBy = ({ scouted = {} }: Profile, id: string): string | undefined =>
  Object.keys(scouted).find(line => scouted[line]?.includes(id))

/** Adjusts a verdict by the profile: a listed failure is known, or stale if passed; a scouted pass is observed (5). */
export const applyProfile = ({ id }: Check, outcome: Judgment, profile: Profile): Judgment => {
  const known = profile.knownFailures?.[id]
  const line = scoutedBy(profile, id)
  if (line !== undefined && outcome.verdict === 'pass') {
    const reason = `such a call filled ${line}: look at the line yourself, then take it out of scouted in ${profile.file}`
    return { ...outcome, verdict: 'observed', reason }
  }
  if (known === undefined) return outcome
  if (outcome.verdict === 'fail' || outcome.verdict === 'differs')
    return { ...outcome, verdict: 'known', knownAs: outcome.verdict, reason: known }
  const reason = `it passes now: remove it from knownFailures in ${profile.file}, where it says "${known}"`
  return outcome.verdict === 'pass' ? { ...outcome, verdict: 'stale', reason } : outcome
}

/** Judges a check by its evidence; the verdict does not yet regard what the profile says of the check. */
export const judgeCheck = async (
  check: Check,
  evidence: Evidence<string>,
  profile: Profile,
): Promise<EvidencedJudgment> => {
  const seen = new Set<Exchange>()
  const watched = {
    transcript: evidence.transcript,
    of: (step: string) => {
      const exchange = evidence.of(step)
      seen.add(exchange)
      return exchange
    },
  }
  const outcome = await callJudge(check, watched, profile)
  const last = [...seen].at(-1)
  return { looked: [...seen], durationMs: durationOf(seen), ...(last && { exchange: last }), ...outcome }
}

/** Returns the duration of a check in milliseconds: the sum of the calls that it looked at. */
const durationOf = (exchanges: ReadonlySet<Exchange>): number =>
  [...exchanges].reduce((sum, { durationMs }) => sum + durationMs, 0)

const callJudge = async (check: Check, evidence: Evidence<string>, profile: Profile): Promise<Judgment> => {
  try {
    const saw = await check.judge(evidence, createExpect(profile, check))
    if (typeof saw === 'object') return { verdict: 'pass', ...saw }
    return check.observes ? { verdict: 'observed', reason: saw ?? 'nothing to report' } : { verdict: 'pass' }
  } catch (error) {
    const { cells } = error as Partial<GridRowError>
    return { ...outcomeOf(error, check, profile, evidence.transcript), ...(cells && { cells }) }
  }
}

const outcomeOf = (error: unknown, check: Check, profile: Profile, transcript: readonly Exchange[]): Judgment => {
  const exchange = (error as { exchange?: CheckResult['exchange'] }).exchange
  const shown = exchange ? { exchange } : {}
  if (error instanceof Mismatch) {
    const { expected, got, isSpecified } = error
    const excuse = untestableEndpointReason(profile, exchange, transcript)
    if (excuse) return { verdict: 'untestable', ...excuse, expected, got, ...shown }
    const guesses = isSpecified ? [] : unconfirmed(check, profile)
    if (check.observes) return { verdict: 'observed', reason: `${got}, not ${expected}`, ...shown }
    if (guesses.length === 0) return { verdict: 'fail', expected, got, ...shown }
    const reason = `leans on ${guesses.join(', ')}, which ${profile.file} does not confirm`
    return { verdict: 'differs', reason, expected, got, ...shown }
  }
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof EmptyCell) return { verdict: 'not applicable', reason }
  if (error instanceof Withheld) return { verdict: 'withheld', reason }
  if (error instanceof Untestable) return { verdict: 'untestable', reason, ...lineOf(error), ...shown }
  if (error instanceof StillWaiting) return { verdict: 'inconclusive', reason, waits: error.wait }
  if (error instanceof Inconclusive || error instanceof NoResponse) return { verdict: 'inconclusive', reason, ...shown }
  if (error instanceof Blocked || error instanceof CallError) return { verdict: 'blocked', reason, ...shown }
  const where = error instanceof Error ? (error.stack?.split('\n')[1]?.trim() ?? '') : ''
  return { verdict: 'harness error', reason: `${reason} (${where})`, ...shown }
}

const unconfirmed = (
  { decisions = [] }: Check,
  { confirmed = [], decisions: chosen = {} }: Profile,
): readonly string[] =>
  confirmed === 'all' ? [] : decisions.filter(decision => !confirmed.includes(decision) && !(decision in chosen))
