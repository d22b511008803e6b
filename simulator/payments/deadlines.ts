import { DAY, HOUR, MINUTE, SECOND } from '../duration.ts'
import type { Cause, State } from './lifecycle.ts'

/**
 * Everything that happens to a payment by the clock alone: counted from the move into one of `whileIn`, dropped when
 * the payment leaves them.
 */
// biome-ignore format: a table reads by its columns
export const DEADLINES = {
  'shopper-act':      { cause: 'shopper', whileIn: ['AWAITING_SHOPPER'],                 clause: 'E3' },
  'shopper-window':   { cause: 'window',  whileIn: ['AWAITING_SHOPPER'],                 clause: 'R6, R7' },
  'hold':             { cause: 'hold',    whileIn: ['AUTHORIZED', 'PARTIALLY_CAPTURED'], clause: 'R3' },
  'settlement':       { cause: 'settle',  whileIn: ['PARTIALLY_CAPTURED', 'CAPTURED'],   clause: 'R4' },
  'refund-outcome':   { cause: 'refund',  whileIn: ['SETTLED', 'PARTIALLY_REFUNDED'],    clause: 'R1' },
  'dispute':          { cause: 'dispute', whileIn: ['SETTLED'],                          clause: '1' },
  'dispute-decision': { cause: 'dispute', whileIn: ['DISPUTED'],                         clause: '1' },
} as const satisfies Record<string, { cause: Cause; whileIn: readonly State[]; clause: string }>

export type DeadlineName = keyof typeof DEADLINES

/** The deadlines that may run while a payment is in this state; all others are dropped. */
export const deadlinesIn = (state: State): DeadlineName[] =>
  (Object.keys(DEADLINES) as DeadlineName[]).filter(name =>
    (DEADLINES[name].whileIn as readonly State[]).includes(state),
  )

/** Lifetimes in milliseconds (clause 8; D-32, D-33 and D-62 where it shows none). */
// biome-ignore format: a table reads by its columns
export const LIFETIMES = {
  blikCode:       120 * SECOND,  // R6
  blikWindow:      45 * SECOND,  // R6
  irisShortest:     8 * MINUTE,  // 7.5: what the scheme accepts
  irisLongest:     33 * MINUTE,  // 7.5
  irisMargin:       3 * MINUTE,  // 7.5: what the service adds before it calls the scheme
  hold:             7 * DAY,     // R3
  mandate:        365 * DAY,     // D-62
  reference:      365 * DAY,     // 8: how far back a clientTransactionId is looked up
  idempotencyKey:  24 * HOUR,    // I3
  accessToken:   7200 * SECOND,  // 5.3
  mock:           24 * HOUR,    // 2.7, 8
  signingKey:     365 * DAY,     // 5.2: up to 12 months
  message:         90 * DAY,     // D-109: in the inbox and among the deliveries
} as const
