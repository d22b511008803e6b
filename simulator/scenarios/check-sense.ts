import { PROVIDER_CODES, type ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { PlanDeed } from '../payments/delivery-plan.ts'
import { readFault, WishError } from '../providers/fault-wish.ts'
import { PROVIDER_CALLS } from '../providers/faults.ts'
import type { Remark } from './check-shape.ts'
import { outcomeOf, type Reason, type ScenarioEntry, type ShopperEntry, type StepEntry } from './entry.ts'
import { PROVIDERS, SCENARIO_FAULTS } from './schema-parts.ts'

/** Tells in words what of a well-formed scenario contradicts itself or what it is about. */
export const checkSense = (entry: ScenarioEntry): Remark[] => {
  const { steps = {}, shopper, dispute, webhooks = [], providers = PROVIDERS } = entry
  const remarks = [
    ...PROVIDER_CALLS.flatMap(call => {
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

const stepRemarks = (step: StepEntry, providers: readonly ProviderId[]): Remark[] => [
  ...reasonRemarks(step, providers),
  ...(step.fault ? under(['fault'], faultRemarks(step.fault)) : []),
  ...(step.later ? under(['later'], laterRemarks(step.later, step.outcome)) : []),
  ...unless(
    step.outcome !== 'declined' || hasReason(step),
    ['outcome'],
    'says declined and not why: add a code, a decline or a statusInfo',
  ),
]

const shopperRemarks = (shopper: ShopperEntry, providers: readonly ProviderId[]): Remark[] => [
  ...reasonRemarks(shopper, providers),
  ...unless(
    outcomeOf(shopper) !== undefined || shopper.after !== undefined,
    ['statusInfo'],
    'says why and not what: add outcome: declined',
  ),
  ...unless(
    shopper.outcome !== 'lapsed' || shopper.after === undefined,
    ['after'],
    'says when, and a decision that lapsed never comes: leave it out',
  ),
]

const reasonRemarks = (reason: Reason & { outcome?: string }, providers: readonly ProviderId[]): Remark[] => {
  const { code, decline, statusInfo, outcome } = reason
  const said = outcomeOf(reason)
  const named = code === undefined ? 'decline' : 'code'
  return [
    ...unless(code === undefined || decline === undefined, ['decline'], 'stands beside a code: keep one of the two'),
    ...unless(
      decline === undefined || statusInfo === undefined,
      ['statusInfo'],
      'stands beside a decline, which says the same: keep one of the two',
    ),
    ...unless(
      (code === undefined && decline === undefined) || said === 'declined',
      [named],
      `says why it was declined, and the outcome is ${outcome}: say declined, or leave the ${named} out`,
    ),
    ...(code === undefined ? [] : codeRemarks(code, providers)),
  ]
}

const codeRemarks = (code: NonNullable<Reason['code']>, providers: readonly ProviderId[]): Remark[] => {
  if (typeof code === 'object') {
    const strangers = PROVIDERS.filter(id => code[id] !== undefined && !providers.includes(id))
    const left = providers.filter(id => code[id] === undefined)
    return [
      ...strangers.map(id => ({
        path: ['code', id],
        key: true,
        sentence: `has a code for ${id}, and providers does not name ${id}: leave it out.`,
      })),
      ...unless(
        left.length === 0,
        ['code'],
        `has none for ${left.join(' and ')}: add it, or name the others in providers`,
      ),
    ]
  }
  const owner = PROVIDER_CODES.find(row => row.code === code)?.provider
  const others = providers.filter(id => id !== owner)
  const cure = `say providers: [${owner}], or give a code for each provider`
  return unless(
    others.length === 0,
    ['code'],
    `is a code of ${owner}, and the scenario serves ${others.join(' and ')} too: ${cure}`,
  )
}

const faultRemarks = (wish: NonNullable<StepEntry['fault']>): Remark[] => {
  try {
    readFault(wish, SCENARIO_FAULTS)
    return []
  } catch (error) {
    if (!(error instanceof WishError)) throw error
    return [{ path: [error.member], sentence: error.saying }]
  }
}

const laterRemarks = (later: NonNullable<StepEntry['later']>, outcome: string | undefined): Remark[] => [
  ...unless(outcome === 'accepted', [], 'is for a refund whose outcome is accepted: say so, or leave it out'),
  ...unless(
    later.outcome !== 'approved' || later.decline === undefined,
    ['decline'],
    'says why it was declined, and the outcome is approved: keep one of the two',
  ),
  ...unless(
    later.outcome !== 'declined' || later.decline !== undefined,
    ['outcome'],
    'says declined and not why: add a decline',
  ),
]

const disputeRemarks = ({ outcome, decidedAfter }: NonNullable<ScenarioEntry['dispute']>): Remark[] => [
  ...unless(
    outcome === undefined || decidedAfter !== undefined,
    ['outcome'],
    'says how it ends and not when: add decidedAfter',
  ),
  ...unless(
    outcome !== undefined || decidedAfter === undefined,
    ['decidedAfter'],
    'says when it ends and not how: add outcome',
  ),
]

/** Deeds that take time. */
const TIMED: readonly PlanDeed[] = ['duplicate', 'reorder', 'delay', 'stale-timestamp']

const ruleRemarks = (rule: NonNullable<ScenarioEntry['webhooks']>[number]): Remark[] =>
  unless(rule.after === undefined || TIMED.includes(rule.do), ['after'], `says nothing of ${rule.do}: leave it out`)

/** IRIS knows no payment without the shopper (1), so nobody could ever charge. */
const callRemarks = ({ steps, providers }: ScenarioEntry): Remark[] =>
  unless(
    !steps?.charge || providers === undefined || providers.includes('BLIK'),
    ['steps', 'charge'],
    'is never reached: of the providers only BLIK takes charges',
  )

const hasReason = ({ code, decline, statusInfo }: Reason): boolean => (code ?? decline ?? statusInfo) !== undefined

const unless = (fine: boolean, path: readonly string[], saying: string): Remark[] =>
  fine ? [] : [{ path, sentence: `${saying}.` }]

/** Remarks about a part, seen from the whole. */
const under = (way: readonly string[], remarks: readonly Remark[]): Remark[] =>
  remarks.map(remark => ({ ...remark, path: [...way, ...remark.path] }))
