import type { ProviderOperation } from '../../contracts/operations.ts'
import { DECLINES, type DeclineName } from '../../contracts/protocol/decline-reasons.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { PROVIDER_IDS } from '../../contracts/protocol/providers.ts'
import type { StatusInfo } from '../payments/payment.ts'
import type { DeliveryDeviation } from '../payments/webhook-delivery-rule.ts'
import type { MockOverrides } from '../providers/provider-mock.ts'
import { type FaultInput, readFault } from '../providers/read-fault-input.ts'
import { parseDuration } from '../support/duration.ts'
import type { CodeByProvider, Scenario, ScenarioStep, ShopperStep } from './scenario.ts'

/** Reason of a decline in a scenario file: a provider code (7.5), a named decline without a code, or a statusInfo. */
export type DeclineReason = { code?: CodeByProvider; decline?: DeclineName; statusInfo?: StatusInfo }

export type StepEntry = DeclineReason & {
  outcome?: NonNullable<ScenarioStep['outcome']>
  providerDetails?: {
    providerTransactionId?: string
    redirectUrl?: string
    registeredAt?: string
    expiresAt?: string
    qrCode?: string
  }
  fault?: FaultInput
  later?: { outcome?: 'approved' | 'declined'; after: string; decline?: DeclineName }
}

export type ShopperEntry = DeclineReason & { outcome?: ShopperStep['outcome']; after?: string }

/** A scenario as written in a file, valid by the schema: durations in ISO 8601, declines by name. */
export type ScenarioFileEntry = {
  name: string
  title: string
  clauses?: string[]
  providers?: readonly ProviderId[]
  magic?: string
  steps?: Partial<Record<ProviderOperation, StepEntry>>
  shopper?: ShopperEntry
  settlement?: { after: string }
  dispute?: { after: string; outcome?: 'won' | 'lost'; decidedAfter?: string }
  mandate?: { revokedAfter: string }
  webhooks?: { on?: string; do: DeliveryDeviation; after?: string }[]
}

/** Returns the outcome of a step or shopper entry; a code or a decline without an outcome means declined. */
export const toEntryOutcome = <Outcome extends string>({
  outcome,
  code,
  decline,
}: DeclineReason & { outcome?: Outcome }): Outcome | 'declined' | undefined =>
  outcome ?? (code === undefined && decline === undefined ? undefined : 'declined')

/** Converts a checked entry of a scenario file to a Scenario, with durations in milliseconds. */
export const toScenario = (entry: ScenarioFileEntry): Scenario => {
  const { name, title, clauses = [], providers = PROVIDER_IDS, magic, steps = {}, shopper, webhooks } = entry
  const { settlement, dispute, mandate } = entry
  return {
    name,
    title,
    clauses,
    providers,
    ...(magic === undefined ? {} : { magic }),
    steps: Object.fromEntries(Object.entries(steps).map(([call, step]) => [call, stepOf(step)])),
    ...(shopper && { shopper: shopperOf(shopper) }),
    ...(settlement && { settlement: { after: toMilliseconds(settlement.after) } }),
    ...(dispute && { dispute: disputeOf(dispute) }),
    ...(mandate && { mandate: { revokedAfter: toMilliseconds(mandate.revokedAfter) } }),
    ...(webhooks && { webhooks: webhooks.map(({ after, ...rule }) => ({ ...rule, ...afterOf({ after }) })) }),
  }
}

const stepOf = (entry: StepEntry): ScenarioStep => {
  const { providerDetails, fault, later } = entry
  const outcome = toEntryOutcome(entry)
  return {
    ...(outcome && { outcome }),
    ...reasonFields(entry),
    ...(providerDetails && { providerDetails: detailsOf(providerDetails) }),
    ...(fault && { fault: faultOf(fault) }),
    ...(later && { later: laterOf(later) }),
  }
}

const shopperOf = (entry: ShopperEntry): ShopperStep => ({
  outcome: toEntryOutcome(entry) ?? 'approved',
  ...reasonFields(entry),
  ...afterOf(entry),
})

const reasonFields = ({ code, decline, statusInfo }: DeclineReason) => ({
  ...(code && { code }),
  ...(decline && { statusInfo: { ...DECLINES[decline] } }),
  ...(statusInfo && { statusInfo }),
})

const faultOf = (wish: FaultInput) => {
  const { code: _, ...fault } = readFault(wish)
  return fault
}

const laterOf = ({ outcome, after, decline }: NonNullable<StepEntry['later']>): NonNullable<ScenarioStep['later']> => ({
  outcome: outcome ?? (decline ? 'declined' : 'approved'),
  after: toMilliseconds(after),
  ...(decline && { statusInfo: { ...DECLINES[decline] } }),
})

const disputeOf = ({ after, outcome, decidedAfter }: NonNullable<ScenarioFileEntry['dispute']>) => ({
  after: toMilliseconds(after),
  ...(outcome && { outcome }),
  ...(decidedAfter === undefined ? {} : { decidedAfter: toMilliseconds(decidedAfter) }),
})

const afterOf = ({ after }: { after?: string | undefined }) =>
  after === undefined ? {} : { after: toMilliseconds(after) }

/** Converts provider details of an entry to mock overrides: ISO times to epoch milliseconds. */
const detailsOf = ({ registeredAt, expiresAt, ...rest }: NonNullable<StepEntry['providerDetails']>): MockOverrides => ({
  ...rest,
  ...(registeredAt === undefined ? {} : { registeredAt: Date.parse(registeredAt) }),
  ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
})

const toMilliseconds = (duration: string): number => parseDuration(duration) ?? 0
