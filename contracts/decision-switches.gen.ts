// Printed from contracts/decisions.yaml by `npm run docs`: change that.

/** Values of each decision that a profile can switch, the usual one first. */
export const DECISION_SWITCHES = {
  'D-07': ['200', '402', '422'],
  'D-99': ['every-event', 'shopper-as-finalize', 'settlement-untold', 'shopper-as-finalize-settlement-untold'],
} as const
