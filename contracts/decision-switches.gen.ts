// Printed from contracts/decisions.yaml by `npm run docs`: change that.

/** Values of each decision that a profile can switch, the usual one first. */
export const DECISION_SWITCHES = {
  'D-07': ['200', '402', '422'],
  'D-40': ['422', '400'],
  'D-41': ['422', '400', 'accepted-first'],
  'D-42': ['declined', '400'],
  'D-43': ['declined', 'canceled'],
  'D-54': ['by-call', '403', '404'],
  'D-63': ['422', '403', '404', 'declined'],
  'D-65': ['declined', '501', 'used-code'],
  'D-81': ['traced', 'no-trace'],
  'D-99': ['every-event', 'shopper-as-finalize', 'settlement-untold', 'shopper-as-finalize-settlement-untold'],
} as const
