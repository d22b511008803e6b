import { DECLINES, type DeclineName } from '../../contracts/protocol/declines.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { parseDuration } from '../duration.ts'
import type { PlanDeed } from '../payments/delivery-plan.ts'
import type { StatusInfo } from '../payments/payment.ts'
import { type FaultWish, readFault } from '../providers/fault-wish.ts'
import type { ProviderCall } from '../providers/faults.ts'
import type { MockOverrides } from '../providers/mock.ts'
import type { CodeByProvider, Scenario, ScenarioStep, ShopperStep } from './scenario.ts'
import { PROVIDERS } from './schema-parts.ts'

/** Why it was declined: a code of the provider (7.5), or one of our names for what has none, or words of one's own. */
export type Reason = { code?: CodeByProvider; decline?: DeclineName; statusInfo?: StatusInfo }

export type StepEntry = Reason & {
  outcome?: NonNullable<ScenarioStep['outcome']>
  providerDetails?: {
    providerTransactionId?: string
    redirectUrl?: string
    registeredAt?: string
    expiresAt?: string
    qrCode?: string
  }
  fault?: FaultWish
  later?: { outcome?: 'approved' | 'declined'; after: string; decline?: DeclineName }
}

export type ShopperEntry = Reason & { outcome?: ShopperStep['outcome']; after?: string }

/** One scenario as a file writes it, judged by the schema: durations in ISO 8601, declines by name. */
export type ScenarioEntry = {
  name: string
  title: string
  clauses?: string[]
  providers?: ProviderId[]
  magic?: string
  steps?: Partial<Record<ProviderCall, StepEntry>>
  shopper?: ShopperEntry
  settlement?: { after: string }
  dispute?: { after: string; outcome?: 'won' | 'lost'; decidedAfter?: string }
  mandate?: { revokedAfter: string }
  webhooks?: { on?: string; do: PlanDeed; after?: string }[]
}

/** A code or a decline says by itself that it was declined. */
export const outcomeOf = <Outcome extends string>({
  outcome,
  code,
  decline,
}: Reason & { outcome?: Outcome }): Outcome | 'declined' | undefined =>
  outcome ?? (code === undefined && decline === undefined ? undefined : 'declined')

/** An entry that has been judged, as the simulator works with it. */
export const scenarioOf = (entry: ScenarioEntry): Scenario => {
  const { name, title, clauses = [], providers = PROVIDERS, magic, steps = {}, shopper, webhooks } = entry
  const { settlement, dispute, mandate } = entry
  return {
    name,
    title,
    clauses,
    providers,
    ...(magic === undefined ? {} : { magic }),
    steps: Object.fromEntries(Object.entries(steps).map(([call, step]) => [call, stepOf(step)])),
    ...(shopper && { shopper: shopperOf(shopper) }),
    ...(settlement && { settlement: { after: time(settlement.after) } }),
    ...(dispute && { dispute: disputeOf(dispute) }),
    ...(mandate && { mandate: { revokedAfter: time(mandate.revokedAfter) } }),
    ...(webhooks && { webhooks: webhooks.map(({ after, ...rule }) => ({ ...rule, ...afterOf({ after }) })) }),
  }
}

const stepOf = (entry: StepEntry): ScenarioStep => {
  const { providerDetails, fault, later } = entry
  const outcome = outcomeOf(entry)
  return {
    ...(outcome && { outcome }),
    ...wordsOf(entry),
    ...(providerDetails && { providerDetails: detailsOf(providerDetails) }),
    ...(fault && { fault: faultOf(fault) }),
    ...(later && { later: laterOf(later) }),
  }
}

const shopperOf = (entry: ShopperEntry): ShopperStep => ({
  outcome: outcomeOf(entry) ?? 'approved',
  ...wordsOf(entry),
  ...afterOf(entry),
})

const wordsOf = ({ code, decline, statusInfo }: Reason) => ({
  ...(code && { code }),
  ...(decline && { statusInfo: { ...DECLINES[decline] } }),
  ...(statusInfo && { statusInfo }),
})

const faultOf = (wish: FaultWish) => {
  const { code: _, ...fault } = readFault(wish)
  return fault
}

const laterOf = ({ outcome, after, decline }: NonNullable<StepEntry['later']>): NonNullable<ScenarioStep['later']> => ({
  outcome: outcome ?? (decline ? 'declined' : 'approved'),
  after: time(after),
  ...(decline && { statusInfo: { ...DECLINES[decline] } }),
})

const disputeOf = ({ after, outcome, decidedAfter }: NonNullable<ScenarioEntry['dispute']>) => ({
  after: time(after),
  ...(outcome && { outcome }),
  ...(decidedAfter === undefined ? {} : { decidedAfter: time(decidedAfter) }),
})

const afterOf = ({ after }: { after?: string | undefined }) => (after === undefined ? {} : { after: time(after) })

/** The same with its times as epoch milliseconds. */
const detailsOf = ({ registeredAt, expiresAt, ...rest }: NonNullable<StepEntry['providerDetails']>): MockOverrides => ({
  ...rest,
  ...(registeredAt === undefined ? {} : { registeredAt: Date.parse(registeredAt) }),
  ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
})

const time = (duration: string): number => parseDuration(duration) ?? 0
