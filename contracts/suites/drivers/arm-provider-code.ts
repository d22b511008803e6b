import type { Profile } from '../../harness/profile/profile.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { setMockForPayment } from './set-mock-for-payment.ts'
import type { InitiateBody } from './shopper-driver-types.ts'

/**
 * Arranges that the provider returns a code of its own to an initiate (7.5): by a fault of control, else by a MOCK of
 * its clientTransactionId with the code at `mocks.providerCode`. Throws Blocked where that is refused.
 */
export const armProviderCode = async (
  { control, merchant }: Pick<TestOrganization, 'control' | 'merchant'>,
  profile: Profile,
  { processingAccountId, clientTransactionId }: InitiateBody,
  code: string,
): Promise<void> => {
  if (profile.control) return void (await control.arm({ operation: 'initiate', kind: 'decline', code }))
  const steps = { initiate: { providerCode: code } }
  const ifRefused = `a mock with the code ${code} was refused: is mocks.providerCode of ${profile.file} right?`
  await setMockForPayment({ merchant }, { processingAccountId, clientTransactionId, steps }, ifRefused)
}
