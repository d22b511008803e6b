import { PROVIDER_OPERATIONS } from '../../contracts/operations.ts'
import { PROVIDER_CODES, type ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { CAPABILITIES, PROVIDER_IDS } from '../../contracts/protocol/providers-and-capabilities.ts'
import { TIMED_DEVIATIONS } from '../payments/delivery-plan-rule.ts'
import { readFault } from '../providers/read-fault-input.ts'
import { InvalidMemberError } from '../support/invalid-member-error.ts'
import type { ScenarioIssue } from './check-scenario-file-against-schema.ts'
import type { DeclineReason, ScenarioFileEntry, ShopperEntry, StepEntry } from './scenario-file-entry.ts'
import { toEntryOutcome } from './scenario-from-file-entry.ts'
import { SCENARIO_FAULT_KINDS } from './scenario-schema-parts.ts'

/** Finds contradictions in a scenario that is valid by its schema, such as a code of the wrong provider. */
export const checkConsistency = (entry: ScenarioFileEntry): ScenarioIssue[] => {
  const { steps = {}, shopper, dispute, webhooks = [], providers = PROVIDER_IDS } = entry
  const remarks = [
    ...PROVIDER_OPERATIONS.flatMap(call => {
      const step = steps[call]
      return step ? under(['steps', call], stepRemarks(step, providers)) : []
    }),
    ...(shopper ? under(['shopper'], shopperRemarks(shopper, providers)) : []),
    ...(dispute ? under(['dispute'], disputeRemarks(dispute)) : []),
    ...webhooks.flatMap((rule, index) => under(['webhooks', String(index)], ruleRemarks(rule))),
    ...callRemarks(entry),
  ]
  return remarks.map(remark => ({ ...remark, sentence: `${remark.path.join('.')} ${remark.sentence}` }))
}

const stepRemarks = (step: StepEntry, providers: readonly ProviderId[]): ScenarioIssue[] => [
  ...reasonRemarks(step, providers),
  ...(step.fault ? under(['fault'], faultRemarks(step.fault)) : []),
  ...(step.later ? under(['later'], laterRemarks(step.later, step.outcome)) : []),
  ...unless(
    step.outcome !== 'declined' || hasReason(step),
    ['outcome'],
    'is declined without a reason: add a code, a decline or a statusInfo',
  ),
  ...unless(
    step.statusInfo === undefined || toEntryOutcome(step) !== undefined,
    ['statusInfo'],
    'has a reason without an outcome: add the outcome',
  ),
]

const shopperRemarks = (shopper: ShopperEntry, providers: readonly ProviderId[]): ScenarioIssue[] => [
  ...reasonRemarks(shopper, providers),
  ...unless(
    shopper.statusInfo === undefined || toEntryOutcome(shopper) !== undefined,
    ['statusInfo'],
    'has a reason without an outcome: add outcome: declined',
  ),
  ...unless(
    shopper.statusInfo === undefined || [undefined, 'declined'].includes(toEntryOutcome(shopper)),
    ['statusInfo'],
    `is a reason for a decline, and the outcome is ${shopper.outcome}: set declined, or leave the statusInfo out`,
  ),
  ...unless(
    shopper.outcome !== 'lapsed' || shopper.after === undefined,
    ['after'],
    'has no effect, since a lapsed decision never arrives: leave it out',
  ),
]

const reasonRemarks = (
  reason: DeclineReason & { outcome?: string },
  providers: readonly ProviderId[],
): ScenarioIssue[] => {
  const { code, decline, statusInfo, outcome } = reason
  const said = toEntryOutcome(reason)
  const named = code === undefined ? 'decline' : 'code'
  return [
    ...unless(code === undefined || decline === undefined, ['decline'], 'conflicts with the code: keep one of the two'),
    ...unless(
      decline === undefined || statusInfo === undefined,
      ['statusInfo'],
      'duplicates the decline: keep one of the two',
    ),
    ...unless(
      (code === undefined && decline === undefined) || said === 'declined',
      [named],
      `is a reason for a decline, and the outcome is ${outcome}: set declined, or leave the ${named} out`,
    ),
    ...(code === undefined ? [] : codeRemarks(code, providers)),
  ]
}

const codeRemarks = (code: NonNullable<DeclineReason['code']>, providers: readonly ProviderId[]): ScenarioIssue[] => {
  if (typeof code === 'object') {
    const unserved = PROVIDER_IDS.filter(id => code[id] !== undefined && !providers.includes(id))
    const left = providers.filter(id => code[id] === undefined)
    return [
      ...unserved.map(id => ({
        path: ['code', id],
        key: true,
        sentence: `has a code for ${id}, and providers does not name ${id}: leave it out.`,
      })),
      ...unless(
        left.length === 0,
        ['code'],
        `has none for ${left.join(' and ')}: add it, or list the others in providers`,
      ),
    ]
  }
  const owner = PROVIDER_CODES.find(row => row.code === code)?.provider
  const others = providers.filter(id => id !== owner)
  const served = others.join(' and ')
  const clash =
    others.length < providers.length
      ? `applies to ${served} too: say providers: [${owner}], or give a code for each provider`
      : `applies to ${served} alone: give a code of ${served}, or say providers: [${owner}]`
  return unless(others.length === 0, ['code'], `is a code of ${owner}, and the scenario ${clash}`)
}

const faultRemarks = (wish: NonNullable<StepEntry['fault']>): ScenarioIssue[] => {
  try {
    readFault(wish, SCENARIO_FAULT_KINDS)
    return []
  } catch (error) {
    if (!(error instanceof InvalidMemberError)) throw error
    return [{ path: [error.member], sentence: error.problem }]
  }
}

const laterRemarks = (later: NonNullable<StepEntry['later']>, outcome: string | undefined): ScenarioIssue[] => [
  ...unless(outcome === 'accepted', [], 'requires a refund with outcome accepted: set it, or leave this out'),
  ...unless(
    later.outcome !== 'approved' || later.decline === undefined,
    ['decline'],
    'is a reason for a decline, and the outcome is approved: keep one of the two',
  ),
  ...unless(
    later.outcome !== 'declined' || later.decline !== undefined,
    ['outcome'],
    'is declined without a reason: add a decline',
  ),
]

const disputeRemarks = ({ outcome, decidedAfter }: NonNullable<ScenarioFileEntry['dispute']>): ScenarioIssue[] => [
  ...unless(
    outcome === undefined || decidedAfter !== undefined,
    ['outcome'],
    'has an outcome without a time: add decidedAfter',
  ),
  ...unless(
    outcome !== undefined || decidedAfter === undefined,
    ['decidedAfter'],
    'has a time without an outcome: add outcome',
  ),
]

const ruleRemarks = (rule: NonNullable<ScenarioFileEntry['webhooks']>[number]): ScenarioIssue[] =>
  unless(
    rule.after === undefined || TIMED_DEVIATIONS.includes(rule.do),
    ['after'],
    `does not apply to ${rule.do}: leave it out`,
  )

/** Providers with payments without the shopper (1). */
const CHARGEABLE = PROVIDER_IDS.filter(id => CAPABILITIES.recurring[id])

/** Finds a step `charge` in a scenario none of whose providers can charge: it is unreachable. */
const callRemarks = ({ steps, providers = PROVIDER_IDS }: ScenarioFileEntry): ScenarioIssue[] =>
  unless(
    !steps?.charge || providers.some(id => CHARGEABLE.includes(id)),
    ['steps', 'charge'],
    `is never reached: of the providers only ${CHARGEABLE.join(' and ')} takes charges`,
  )

const hasReason = ({ code, decline, statusInfo }: DeclineReason): boolean =>
  (code ?? decline ?? statusInfo) !== undefined

const unless = (fine: boolean, path: readonly string[], saying: string): ScenarioIssue[] =>
  fine ? [] : [{ path, sentence: `${saying}.` }]

/** Prefixes the paths of issues with the path of their part. */
const under = (prefix: readonly string[], remarks: readonly ScenarioIssue[]): ScenarioIssue[] =>
  remarks.map(remark => ({ ...remark, path: [...prefix, ...remark.path] }))
