import { isDecision, type ShopperDriver, type ShopperDriverParts } from './shopper-driver-types.ts'

/** Creates the shopper driver of a simulator: the control API issues one-time codes and acts in the bank app. */
export const createControlShopper = ({ profile, control }: ShopperDriverParts): ShopperDriver => ({
  lineFor: () => (profile.control ? 'control.url' : undefined),
  prepare: async body =>
    body.providerDetails.providerId === 'BLIK'
      ? { ...body, payerDetails: { ...body.payerDetails, oneTimeCode: await control.oneTimeCode() } }
      : body,
  act: async ({ transactionId }, outcome) => {
    if (isDecision(outcome)) await control.shopper(transactionId, outcome)
  },
})
