import type { Exchange } from '../../client/http-exchange.ts'
import type { CallOverrides } from '../../client/send-signed-call.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { anyPayment } from './create-payments.ts'
import { withMember } from './request-bodies.ts'

/** The payer of a mock configuration, and members that differ from the default one. */
type MockMembers = Readonly<Record<string, unknown>> & { payer?: string }

/**
 * Returns a check's body of mock/set: a MOCK with scenario OK and `oneTime` false, unless members say otherwise (2.7).
 */
export const mockBody = (account: string, { payer, ...more }: MockMembers): Record<string, unknown> => ({
  processingAccountId: account,
  ...(payer === undefined ? {} : { key: { type: 'PAYER_ID', value: payer } }),
  type: 'MOCK',
  scenario: 'OK',
  oneTime: false,
  ...more,
})

type Overrides = Readonly<Record<string, string>>

/** Copies a check's mock with overrides per step, where the profile says that the deployment expects them (S06). */
export const withOverrides = (
  mock: Record<string, unknown>,
  steps: { initiate?: Overrides; finalize?: Overrides },
): Record<string, unknown> => {
  const placed = Object.entries(steps).map(([step, providerDetails]) => [step, { providerDetails }])
  return { ...mock, steps: Object.fromEntries(placed) }
}

/** Creates mock overrides with a marker text that identifies a mocked response. */
export const markerOverrides = (mark: string): Overrides => ({
  providerTransactionId: mark,
  redirectUrl: `https://bank.example/${mark}`,
})

/** Calls mock/set for a check with a mock configuration (2.7). */
export const configureMock = (
  { merchant }: TestOrganization,
  json: unknown,
  idempotencyKey?: string,
): Promise<Exchange> =>
  merchant.request('mockSet', { json, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })

/** Initiates a payment of a payer for whom a mock may be set: by IRIS if it is offered. */
export const initiateForPayer = async (
  profile: Profile,
  organization: TestOrganization,
  payer: string,
  more: { account?: string; clientTransactionId?: string } = {},
  alter?: CallOverrides,
): Promise<Exchange> => {
  const body = await anyPayment(profile, { ...organization, account: more.account ?? organization.account })
  const json = withMember(body, 'payerDetails.payerId', payer)
  const { clientTransactionId = json.clientTransactionId } = more
  return organization.merchant.request('initiate', { json: { ...json, clientTransactionId } }, alter)
}
