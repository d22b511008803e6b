// Printed from contracts/decisions.yaml by `npm run docs`: change that.

/** Values of each decision that a profile can switch, the usual one first. */
export const DECISION_SWITCHES = {
  'D-02': ['on', 'off'],
  'D-07': ['200', '402', '422'],
  'D-09': ['501', '422'],
  'D-10': ['4001', '5000'],
  'D-11': ['400', '401'],
  'D-12': ['400', '401', '403'],
  'D-14': ['404', '405', '404-4001'],
  'D-16': ['400', '415'],
  'D-18': ['400', '428'],
  'D-19': ['organization', 'operation', 'account'],
  'D-21': ['marked', 'unmarked'],
  'D-22': ['decided', 'successes', 'every'],
  'D-30': ['401', '403'],
  'D-34': ['pending', '422'],
  'D-35': ['refused', 'repeated'],
  'D-39': ['authorized', 'waiting'],
} as const
