import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Arranged, StatusInfo } from '../payments/payment.ts'
import type { ProviderCall } from '../providers/faults.ts'
import type { Mock } from '../providers/mock.ts'
import type { ProviderAnswer } from '../providers/provider.ts'
import type { CodeByProvider, Scenario, ScenarioStep } from './scenario.ts'

type Outcome = NonNullable<ScenarioStep['outcome']>

/** The status of a mocked step as the provider's outcome (2.7, D-80). */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  ACCEPTED: 'accepted',
  PENDING: 'pending',
  APPROVED: 'approved',
  CANCELED: 'approved',
  DECLINED: 'declined',
}

/** A no that nobody gave a reason for. */
export const UNEXPLAINED: StatusInfo = { reasonCode: '1000', message: 'Declined' }

/** What a provider that is only scripted says where its script says nothing: yes (E3). */
const byDefault = (operation: ProviderCall, scenario: Scenario | undefined): Outcome => {
  if (operation !== 'initiate') return 'approved'
  return scenario?.shopper ? 'pending' : 'accepted'
}

/**
 * What MOCK makes of a step: the mock's own words first, then the scenario's, then yes; undefined where the mock
 * speaks of other steps only (2.7).
 */
export const mockedStep = (
  operation: ProviderCall,
  mock: Pick<Mock, 'steps' | 'data' | 'scenario'>,
  scenario: Scenario | undefined,
): ScenarioStep | undefined => {
  const own = mock.steps[operation]
  const silent = Object.keys(mock.steps).length > 0 && mock.scenario === undefined
  if (!own && silent) return undefined
  const scripted = scenario?.steps[operation] ?? {}
  const outcome = OUTCOMES[own?.status ?? ''] ?? scripted.outcome ?? byDefault(operation, scenario)
  const { outcome: _, code, statusInfo, later, ...rest } = scripted
  const details = { ...scripted.providerDetails, ...mock.data, ...own?.providerDetails }
  return {
    ...rest,
    outcome,
    ...(outcome === scripted.outcome
      ? { ...(code && { code }), ...(statusInfo && { statusInfo }), ...(later && { later }) }
      : {}),
    ...(own?.statusInfo ? { statusInfo: own.statusInfo } : {}),
    ...(own?.fault ? { fault: own.fault } : {}),
    ...(Object.keys(details).length > 0 ? { providerDetails: details } : {}),
  }
}

/** A step as the provider's answer; undefined where it leaves the outcome to the provider. */
export const answerOf = (
  { outcome, code: codes, statusInfo, providerDetails, later }: ScenarioStep,
  providerId: ProviderId,
): ProviderAnswer | undefined => {
  const words = { ...(statusInfo && { statusInfo }), ...(providerDetails && { details: providerDetails }) }
  const code = codeFor(codes, providerId)
  switch (outcome) {
    case undefined:
      return undefined
    case 'declined':
      return code ? { outcome, code, ...words } : { outcome, ...words, statusInfo: statusInfo ?? UNEXPLAINED }
    case 'accepted':
      return { outcome, ...words, ...(later && { later }) }
    default:
      return { outcome, ...words }
  }
}

export const codeFor = (codes: CodeByProvider | undefined, providerId: ProviderId) =>
  typeof codes === 'object' ? codes[providerId] : codes

/** What a payment takes along of the scenario that was chosen when it began: all that is no answer to a call. */
export const arrangedBy = (
  scenario: Scenario | undefined,
  how: Pick<Arranged, 'by' | 'type'>,
  providerId: ProviderId,
): Arranged => {
  const { name, shopper, settlement, dispute, mandate } = scenario ?? {}
  const { code: codes, ...act } = shopper ?? {}
  const code = codeFor(codes, providerId)
  return {
    ...(name === undefined ? {} : { scenario: name }),
    ...how,
    ...(shopper ? { shopper: { ...act, outcome: shopper.outcome, ...(code && { code }) } } : {}),
    ...(settlement ? { settlement } : {}),
    ...(dispute ? { dispute } : {}),
    ...(mandate ? { mandate } : {}),
  }
}
