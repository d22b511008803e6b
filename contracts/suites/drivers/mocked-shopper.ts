import { mockScenarioFor } from '../../harness/profile/abilities-from-profile-lines.ts'
import { setMockForPayment } from './set-mock-for-payment.ts'
import type { ShopperDriver, ShopperDriverParts } from './shopper-driver-types.ts'

/** A code of the right form, for a payment of which no provider hears (E3, E4). */
const ANY_CODE = '123456'

/**
 * Creates the shopper driver of mock/set: a MOCK by clientTransactionId decides the payment before it begins (2.7, E2,
 * E3).
 */
export const createMockedShopper = ({ profile, merchant }: ShopperDriverParts): ShopperDriver => ({
  lineFor: (_provider, outcome) =>
    mockScenarioFor(profile, outcome) === undefined ? undefined : `shopper.mock.${outcome}`,
  prepare: async (body, outcome) => {
    const { processingAccountId, clientTransactionId, providerDetails, payerDetails } = body
    const scenario = mockScenarioFor(profile, outcome)
    const ifRefused = 'the mock that stands for the shopper was refused: is requests.mockSet of the profile right?'
    await setMockForPayment({ merchant }, { processingAccountId, clientTransactionId, scenario }, ifRefused)
    const code = providerDetails.providerId === 'BLIK' ? { oneTimeCode: ANY_CODE } : {}
    return { ...body, payerDetails: { ...payerDetails, ...code } }
  },
  act: async () => undefined,
})
