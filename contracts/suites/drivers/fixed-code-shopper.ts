import { awaitShopperOutcome } from './await-shopper-outcome.ts'
import type { ShopperDriver, ShopperDriverParts, ShopperOutcome } from './shopper-driver.ts'

/** Creates the shopper of a sandbox with one test code of BLIK for each outcome: `shopper.codes` of the profile. */
export const createFixedCodeShopper = ({ profile, merchant }: ShopperDriverParts): ShopperDriver => {
  const codeFor = (outcome: ShopperOutcome) => profile.shopper?.codes?.[outcome === 'wait' ? 'lapse' : outcome]
  return {
    offers: (provider, outcome) => provider === 'BLIK' && codeFor(outcome) !== undefined,
    prepare: async (body, outcome) => {
      const oneTimeCode = codeFor(outcome) ?? ''
      return { ...body, payerDetails: { ...body.payerDetails, oneTimeCode } }
    },
    act: async ({ transactionId }, outcome) => {
      if (outcome === 'approve' || outcome === 'decline') await awaitShopperOutcome(profile, merchant, transactionId)
    },
  }
}
