import { mockScenarioFor } from '../../harness/profile/abilities-from-profile-lines.ts'
import { isDecline } from '../../harness/profile/response-fields-and-line-advice.ts'
import { awaitShopperOutcome } from './await-shopper-outcome.ts'
import { setMockForPayment } from './set-mock-for-payment.ts'
import { isDecision, type ShopperDriver, type ShopperDriverParts, type ShopperOutcome } from './shopper-driver-types.ts'

/** A code of the right form, for a payment of which no provider hears (E3, E4). */
const ANY_CODE = '123456'

/**
 * Creates the shopper driver of mock/set: a MOCK by clientTransactionId decides the payment before it begins (2.7, E2,
 * E3).
 */
export const createMockedShopper = (parts: ShopperDriverParts): ShopperDriver => {
  const { profile, merchant } = parts
  return {
    lineFor: (_provider, outcome) => (mockScenarioFor(profile, outcome) === undefined ? undefined : lineOf(outcome)),
    prepare: async (body, outcome) => {
      const { processingAccountId, clientTransactionId, providerDetails, payerDetails } = body
      const scenario = mockScenarioFor(profile, outcome)
      const ifRefused = 'the mock that stands for the shopper was refused: is requests.mockSet of the profile right?'
      await setMockForPayment({ merchant }, { processingAccountId, clientTransactionId, scenario }, ifRefused)
      const code = providerDetails.providerId === 'BLIK' ? { oneTimeCode: ANY_CODE } : {}
      return { ...body, payerDetails: { ...payerDetails, ...code } }
    },
    act: async ({ transactionId, initiated }, outcome) => {
      if (isDecision(outcome) && !isDecline(profile, initiated))
        await awaitShopperOutcome(parts, transactionId, { line: lineOf(outcome) })
    },
  }
}

const lineOf = (outcome: ShopperOutcome) => `shopper.mock.${outcome}`
