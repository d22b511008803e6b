// Printed from contracts/decisions.yaml by `npm run docs`: change that.

/** Values of each decision that a profile can switch, the usual one first. */
export const DECISION_SWITCHES = {
  'D-07': ['200', '402', '422'],
  'D-40': ['422', '400'],
  'D-41': ['422', '400', 'accepted-first'],
  'D-42': ['declined', '400'],
  'D-43': ['declined', 'canceled'],
  'D-44': ['required', 'optional-account', 'optional-description'],
  'D-46': ['ignored', '400'],
  'D-48': ['of-operation', 'of-payment'],
  'D-54': ['by-call', '403', '404'],
  'D-55': ['refused', 'ignored'],
  'D-56': ['read-for-providers', 'process-for-providers'],
  'D-57': ['403', '401'],
  'D-63': ['422', '403', '404', 'declined'],
  'D-65': ['declined', '501', 'used-code'],
  'D-68': ['refused', 'newest-below', 'ignored'],
  'D-72': ['404', '403'],
  'D-73': ['newest-first', 'oldest-first'],
  'D-80': ['refused', 'ignored'],
  'D-81': ['traced', 'no-trace'],
  'D-82': ['declined', '502'],
  'D-99': ['every-event', 'shopper-as-finalize', 'settlement-untold', 'shopper-as-finalize-settlement-untold'],
} as const
