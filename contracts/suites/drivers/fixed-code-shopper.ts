import { awaitShopperOutcome } from './await-shopper-outcome.ts'
import { isDecision, type ShopperDriver, type ShopperDriverParts, type ShopperOutcome } from './shopper-driver-types.ts'

/**
 * Creates the shopper driver of a sandbox with one test code of BLIK for each outcome: `shopper.codes` of the profile.
 */
export const createFixedCodeShopper = (parts: ShopperDriverParts): ShopperDriver => {
  const codes = parts.profile.shopper?.codes
  const lineFor = (outcome: ShopperOutcome) => `shopper.codes.${nameOf(outcome)}`
  return {
    lineFor: (provider, outcome) =>
      provider === 'BLIK' && codes?.[nameOf(outcome)] !== undefined ? lineFor(outcome) : undefined,
    prepare: async (body, outcome) => {
      const oneTimeCode = codes?.[nameOf(outcome)] ?? ''
      return { ...body, payerDetails: { ...body.payerDetails, oneTimeCode } }
    },
    act: async ({ transactionId }, outcome) => {
      if (isDecision(outcome)) await awaitShopperOutcome(parts, transactionId, { line: lineFor(outcome) })
    },
  }
}

/** Code by outcome: who never acts also waits. */
const nameOf = (outcome: ShopperOutcome) => (outcome === 'wait' ? 'lapse' : outcome)
