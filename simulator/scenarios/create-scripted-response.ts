import type { ProviderOperation } from '../../contracts/operations.ts'
import { PROVIDER_CODES, type ProviderCode, type ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { ScriptedOutcome, StatusInfo } from '../payments/payment.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { MOCK_STEP_STATUSES, type Mock } from '../providers/provider-mock.ts'
import type { CodeByProvider, Scenario, ScenarioStep } from './scenario.ts'

type Outcome = NonNullable<ScenarioStep['outcome']>

/** Provider outcome of each status that a mock's step may have (2.7, D-80). */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  ACCEPTED: 'accepted',
  PENDING: 'pending',
  APPROVED: 'approved',
  CANCELED: 'approved',
  DECLINED: 'declined',
}

/** statusInfo of a scripted decline that gives no reason. */
export const UNEXPLAINED_DECLINE: StatusInfo = { reasonCode: '1000', message: 'Declined' }

/** Outcome of a MOCK whose script gives none: success (E3). */
const byDefault = (operation: ProviderOperation, scenario: Scenario | undefined): Outcome => {
  if (operation !== 'initiate') return 'approved'
  return scenario?.shopper ? 'pending' : 'accepted'
}

/**
 * Creates the scripted step of a MOCK: the mock's own values first, then the scenario's, then success; undefined if the
 * mock has no step for the operation (2.7).
 */
export const toMockedStep = (
  operation: ProviderOperation,
  mock: Pick<Mock, 'steps' | 'data' | 'scenario'>,
  scenario: Scenario | undefined,
): ScenarioStep | undefined => {
  const own = mock.steps[operation]
  const isForOtherSteps = Object.keys(mock.steps).length > 0 && mock.scenario === undefined
  if (!own && isForOtherSteps) return undefined
  const scripted = scenario?.steps[operation] ?? {}
  const { status: usual, statusInfo: usualInfo, ...data } = mock.data ?? {}
  const status = own?.status ?? MOCK_STEP_STATUSES[operation].find(word => word === usual)
  const outcome = own?.providerCode
    ? 'declined'
    : (OUTCOMES[status ?? ''] ?? scripted.outcome ?? byDefault(operation, scenario))
  const { outcome: _, code, statusInfo, later, ...rest } = scripted
  const details = { ...scripted.providerDetails, ...data, ...own?.providerDetails }
  const told = own?.statusInfo ?? usualInfo
  return {
    ...rest,
    outcome,
    ...(outcome === scripted.outcome
      ? { ...(code && { code }), ...(statusInfo && { statusInfo }), ...(later && { later }) }
      : {}),
    ...(own?.providerCode ? { code: codesOf(own.providerCode) } : {}),
    ...(told ? { statusInfo: told } : {}),
    ...(own?.fault ? { fault: own.fault } : {}),
    ...(Object.keys(details).length > 0 ? { providerDetails: details } : {}),
  }
}

/**
 * Returns what PASSTHROUGH keeps of a scripted step: its fault, its outcome and the reason of a decline. The provider's
 * response values stay (E3), and so do its page and code check, which an initiate that succeeds would skip.
 */
export const toPassthroughStep = (operation: ProviderOperation, step: ScenarioStep = {}): ScenarioStep => {
  const { providerDetails: _, ...said } = step
  if (said.outcome === 'declined') return said
  const { statusInfo: __, outcome, ...kept } = said
  return outcome && operation !== 'initiate' ? { ...kept, outcome } : kept
}

/** Converts a scripted step to a provider response; undefined if it leaves the outcome to the provider. */
export const toProviderResponse = (
  { outcome, code: codes, statusInfo, providerDetails, later }: ScenarioStep,
  providerId: ProviderId,
): ProviderResponse | undefined => {
  const words = { ...(statusInfo && { statusInfo }), ...(providerDetails && { details: providerDetails }) }
  const code = codeForProvider(codes, providerId)
  switch (outcome) {
    case undefined:
      return undefined
    case 'declined':
      return code ? { outcome, code, ...words } : { outcome, ...words, statusInfo: statusInfo ?? UNEXPLAINED_DECLINE }
    case 'accepted':
      return { outcome, ...words, ...(later && { later }) }
    default:
      return { outcome, ...words }
  }
}

/** A code of one provider, under the name of that provider (7.5). */
const codesOf = (code: ProviderCode): CodeByProvider =>
  Object.fromEntries(PROVIDER_CODES.flatMap(row => (row.code === code ? [[row.provider, code]] : [])))

const codeForProvider = (codes: CodeByProvider | undefined, providerId: ProviderId) =>
  typeof codes === 'object' ? codes[providerId] : codes

/** Creates the scripted outcome that a new payment stores: all of its scenario but the responses to calls. */
export const toScriptedOutcome = (
  scenario: Scenario | undefined,
  how: Pick<ScriptedOutcome, 'by' | 'type'>,
  providerId: ProviderId,
): ScriptedOutcome => {
  const { name, shopper, settlement, dispute, mandate } = scenario ?? {}
  const { code: codes, ...act } = shopper ?? {}
  const code = codeForProvider(codes, providerId)
  return {
    ...(name === undefined ? {} : { scenario: name }),
    ...how,
    ...(shopper ? { shopper: { ...act, outcome: shopper.outcome, ...(code && { code }) } } : {}),
    ...(settlement ? { settlement } : {}),
    ...(dispute ? { dispute } : {}),
    ...(mandate ? { mandate } : {}),
  }
}
