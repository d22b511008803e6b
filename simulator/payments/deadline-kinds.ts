import type { Cause, State } from './lifecycle.ts'

/** States in which a refund may be under way. */
const REFUNDABLE = ['PARTIALLY_CAPTURED', 'CAPTURED', 'SETTLED', 'PARTIALLY_REFUNDED'] as const

/**
 * Deadlines of a payment: set on entering one of the states in `whileIn`, removed when the payment leaves them. `cause` is
 * what the lifecycle calls the one that passed; `apply-deadline.ts` says what it does.
 */
// biome-ignore format: a table reads by its columns
export const DEADLINES = {
  'shopper-act':      { cause: 'shopper', whileIn: ['AWAITING_SHOPPER'],                 clause: 'E3' },
  'shopper-window':   { cause: 'window',  whileIn: ['AWAITING_SHOPPER'],                 clause: 'R6, R7' },
  'consent':          { cause: 'consent', whileIn: ['AUTHENTICATED'],                    clause: '3' },
  'hold':             { cause: 'hold',    whileIn: ['AUTHORIZED', 'PARTIALLY_CAPTURED'], clause: 'R3' },
  'settlement':       { cause: 'settle',  whileIn: ['PARTIALLY_CAPTURED', 'CAPTURED'],   clause: 'R4' },
  'refund-outcome':   { cause: 'refund',  whileIn: REFUNDABLE,                           clause: 'R1' },
  'dispute':          { cause: 'dispute', whileIn: ['SETTLED'],                          clause: '1' },
  'dispute-decision': { cause: 'dispute', whileIn: ['DISPUTED'],                         clause: '1' },
} as const satisfies Record<string, { cause: Cause; whileIn: readonly State[]; clause: string }>

export type DeadlineName = keyof typeof DEADLINES

/** Returns the names of the deadlines that may run while a payment is in a state; all others are removed. */
export const deadlinesOfState = (state: State): DeadlineName[] =>
  (Object.keys(DEADLINES) as DeadlineName[]).filter(name =>
    (DEADLINES[name].whileIn as readonly State[]).includes(state),
  )
