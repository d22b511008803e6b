import { DECLINES } from '../../contracts/protocol/decline-reasons.ts'
import { PROVIDER_IDS } from '../../contracts/protocol/providers-and-capabilities.ts'
import type { MockOverrides } from '../providers/provider-mock.ts'
import { type FaultInput, readFault } from '../providers/read-fault-input.ts'
import { parseInstant } from '../support/clock.ts'
import { parseDuration } from '../support/duration.ts'
import type { Scenario, ScenarioStep, ShopperStep } from './scenario.ts'
import type { DeclineReason, ScenarioFileEntry, ShopperEntry, StepEntry } from './scenario-file-entry.ts'

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
  ...(registeredAt === undefined ? {} : { registeredAt: parseInstant(registeredAt) }),
  ...(expiresAt === undefined ? {} : { expiresAt: parseInstant(expiresAt) }),
})

const toMilliseconds = (duration: string): number => parseDuration(duration) ?? 0
