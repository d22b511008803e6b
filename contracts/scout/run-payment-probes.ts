import type { Profile } from '../harness/profile/profile.ts'
import { profileLine } from '../harness/profile/response-fields-and-line-advice.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { lastWords } from './describe-last-refusal.ts'
import { failureAsOpenLine } from './failure-as-open-line.ts'
import { applyFindings, mergeProbeResults, type ProbeResult } from './probe-findings.ts'
import { scoutDecisions } from './scout-decisions.ts'
import { scoutDeclineFields } from './scout-decline-fields.ts'
import { scoutInitiateFields } from './scout-initiate-fields.ts'
import { scoutLifecycleFields } from './scout-lifecycle-fields.ts'
import { scoutMandateFields } from './scout-mandate-fields.ts'
import { scoutMockOverrideFields } from './scout-mock-override-fields.ts'
import { scoutOperationReferences } from './scout-operation-references.ts'
import { scoutWebhookFields } from './scout-webhook-fields.ts'

/** Probes that make payments, in order: a later one builds on what an earlier one learns. */
const PROBES = [
  scoutInitiateFields,
  scoutMockOverrideFields,
  scoutDeclineFields,
  scoutOperationReferences,
  scoutLifecycleFields,
  scoutMandateFields,
  scoutWebhookFields,
  scoutDecisions,
]

export type WithContext = <Value>(profile: Profile, act: (context: CheckContext) => Promise<Value>) => Promise<Value>

/**
 * Runs the probes of `scout` that make payments; needs a sandbox, and learns the more the more drivers the profile
 * names (S08 to S16, S22, S30).
 */
export const runPaymentProbes = async (given: Profile, withContext: WithContext): Promise<ProbeResult> => {
  let learned: ProbeResult = mergeProbeResults([])
  let profile = given
  for (const probe of PROBES) {
    const { found, open } = await withContext(profile, context => probeAndExplain(context, probe))
    const fresh = { found: found.filter(({ line }) => profileLine(profile, line) === undefined), open }
    learned = mergeProbeResults([learned, fresh])
    profile = applyFindings(profile, fresh)
  }
  return learned
}

type Probe = (context: CheckContext) => Promise<ProbeResult>

/**
 * Runs a probe of `scout`; its failure becomes an open line, any other error is thrown. Where a line stays open after a
 * refusal, the last words of the service follow, with the profile line to correct: `line`, else by the status.
 */
export const probeAndExplain = async (context: CheckContext, probe: Probe, line?: string): Promise<ProbeResult> => {
  const { length } = context.transcript
  const { found, open } = await failureAsOpenLine(probe(context))
  const words = open.length > 0 ? lastWords(context.profile, context.transcript.slice(length), line) : undefined
  return { found, open: words === undefined ? open : [...open, words] }
}
