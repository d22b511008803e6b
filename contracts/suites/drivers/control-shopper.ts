import type { ShopperDriver, ShopperDriverParts } from './shopper-driver.ts'

/** Creates the shopper of a simulator: the control API issues one-time codes and acts in the bank app. */
export const createControlShopper = ({ profile, control }: ShopperDriverParts): ShopperDriver => ({
  offers: () => profile.control !== undefined,
  prepare: async body =>
    body.providerDetails.providerId === 'BLIK'
      ? { ...body, payerDetails: { ...body.payerDetails, oneTimeCode: await control.oneTimeCode() } }
      : body,
  act: async ({ transactionId }, outcome) => {
    if (outcome === 'approve' || outcome === 'decline') await control.shopper(transactionId, outcome)
  },
})
