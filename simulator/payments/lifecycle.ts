import type { ProviderOperation } from '../../contracts/operations.ts'

/**
 * States of a payment (3), each with its status word in the API (D-05) and the stage, the category of clause 3 that
 * the status word alone does not distinguish (D-04).
 */
// biome-ignore format: a table reads by its columns
export const STATES = {
  AWAITING_SHOPPER:   { status: 'PENDING',  stage: 'initiation',    final: false },
  AUTHENTICATED:      { status: 'ACCEPTED', stage: 'initiation',    final: false },
  AUTHORIZED:         { status: 'APPROVED', stage: 'authorization', final: false },
  PARTIALLY_CAPTURED: { status: 'APPROVED', stage: 'capture',       final: false },
  CAPTURED:           { status: 'APPROVED', stage: 'capture',       final: false },
  SETTLED:            { status: 'APPROVED', stage: 'settlement',    final: false },
  DISPUTED:           { status: 'APPROVED', stage: 'settlement',    final: false },
  PARTIALLY_REFUNDED: { status: 'APPROVED', stage: 'refund',        final: false },
  REFUNDED:           { status: 'APPROVED', stage: 'refund',        final: true  },
  TOKENIZED:          { status: 'APPROVED', stage: 'success',       final: true  },
  DECLINED:           { status: 'DECLINED', stage: 'fail',          final: true  },
  CANCELED:           { status: 'CANCELED', stage: 'cancel',        final: true  },
  EXPIRED:            { status: 'DECLINED', stage: 'expire',        final: true  },
} as const

export type State = keyof typeof STATES

/** Returns the status word of an event: a declined or accepted capture, cancel or refund has its own, not the payment's. */
export const statusOfEvent = ({ type, state }: { type: string; state: State }): string => {
  if (type.endsWith('-declined')) return 'DECLINED'
  return type.endsWith('-accepted') ? 'ACCEPTED' : STATES[state].status
}

/** Cause of a transition of a payment: an operation, the shopper, a dispute, or one of its deadlines. */
export type Cause = ProviderOperation | 'shopper' | 'dispute' | 'settle' | 'window' | 'consent' | 'hold'

/** Transitions of a payment; a transition that is not a row is refused with 422/5002 (R5). */
// biome-ignore format: a table reads by its columns
export const TRANSITIONS = [
  // from                 cause       outcome      to                    event
  ['NEW',                'initiate', 'pending',   'AWAITING_SHOPPER',   'payment.initiated'],
  ['NEW',                'initiate', 'accepted',  'AUTHENTICATED',      'payment.authenticated'],       // E3: without a shopper
  ['NEW',                'initiate', 'declined',  'DECLINED',           'payment.declined'],
  ['NEW',                'charge',   'approved',  'AUTHORIZED',         'payment.authorized'],          // 3 sequence 2
  ['NEW',                'charge',   'declined',  'DECLINED',           'payment.declined'],
  ['AWAITING_SHOPPER',   'shopper',  'approved',  'AUTHENTICATED',      'payment.authenticated'],
  ['AWAITING_SHOPPER',   'shopper',  'declined',  'DECLINED',           'payment.declined'],
  ['AWAITING_SHOPPER',   'shopper',  'canceled',  'CANCELED',           'payment.canceled'],            // D-43, where chosen
  ['AWAITING_SHOPPER',   'window',   'lapsed',    'EXPIRED',            'payment.expired'],             // R6, R7
  ['AWAITING_SHOPPER',   'cancel',   'approved',  'CANCELED',           'payment.canceled'],            // D-39
  ['AWAITING_SHOPPER',   'cancel',   'declined',  'AWAITING_SHOPPER',   'payment.cancel-declined'],
  ['AUTHENTICATED',      'finalize', 'approved',  'AUTHORIZED',         'payment.authorized'],
  ['AUTHENTICATED',      'finalize', 'tokenized', 'TOKENIZED',          'payment.tokenized'],           // TOKEN_ONLY
  ['AUTHENTICATED',      'finalize', 'declined',  'DECLINED',           'payment.declined'],
  ['AUTHENTICATED',      'consent',  'lapsed',    'EXPIRED',            'payment.expired'],             // D-118
  ['AUTHENTICATED',      'cancel',   'approved',  'CANCELED',           'payment.canceled'],            // D-39
  ['AUTHENTICATED',      'cancel',   'declined',  'AUTHENTICATED',      'payment.cancel-declined'],
  ['AUTHORIZED',         'cancel',   'approved',  'CANCELED',           'payment.canceled'],            // R2
  ['AUTHORIZED',         'cancel',   'declined',  'AUTHORIZED',         'payment.cancel-declined'],     // 7.5: a decline changes nothing
  ['AUTHORIZED',         'hold',     'lapsed',    'EXPIRED',            'payment.expired'],             // R3
  ['AUTHORIZED',         'capture',  'partial',   'PARTIALLY_CAPTURED', 'payment.captured'],
  ['AUTHORIZED',         'capture',  'full',      'CAPTURED',           'payment.captured'],
  ['AUTHORIZED',         'capture',  'declined',  'AUTHORIZED',         'payment.capture-declined'],
  ['PARTIALLY_CAPTURED', 'capture',  'declined',  'PARTIALLY_CAPTURED', 'payment.capture-declined'],
  ['PARTIALLY_CAPTURED', 'capture',  'partial',   'PARTIALLY_CAPTURED', 'payment.captured'],
  ['PARTIALLY_CAPTURED', 'capture',  'full',      'CAPTURED',           'payment.captured'],
  ['PARTIALLY_CAPTURED', 'settle',   'partial',   'PARTIALLY_CAPTURED', 'payment.partially-settled'],
  ['PARTIALLY_CAPTURED', 'hold',     'unsettled', 'CAPTURED',           'payment.remainder-released'],  // R3
  ['PARTIALLY_CAPTURED', 'hold',     'settled',   'SETTLED',            'payment.remainder-released'],  // R3
  ['PARTIALLY_CAPTURED', 'hold',     'partial',   'PARTIALLY_REFUNDED', 'payment.remainder-released'],  // D-120
  ['PARTIALLY_CAPTURED', 'hold',     'full',      'REFUNDED',           'payment.remainder-released'],  // D-120
  ['PARTIALLY_CAPTURED', 'refund',   'partial',   'PARTIALLY_CAPTURED', 'payment.refunded'],            // D-120
  ['PARTIALLY_CAPTURED', 'refund',   'accepted',  'PARTIALLY_CAPTURED', 'payment.refund-accepted'],
  ['PARTIALLY_CAPTURED', 'refund',   'declined',  'PARTIALLY_CAPTURED', 'payment.refund-declined'],
  ['CAPTURED',           'settle',   'partial',   'CAPTURED',           'payment.partially-settled'],
  ['CAPTURED',           'settle',   'full',      'SETTLED',            'payment.settled'],             // R4
  ['CAPTURED',           'settle',   'refunded',  'PARTIALLY_REFUNDED', 'payment.settled'],             // D-120
  ['CAPTURED',           'refund',   'partial',   'CAPTURED',           'payment.refunded'],            // D-120
  ['CAPTURED',           'refund',   'accepted',  'CAPTURED',           'payment.refund-accepted'],
  ['CAPTURED',           'refund',   'declined',  'CAPTURED',           'payment.refund-declined'],
  ['SETTLED',            'refund',   'partial',   'PARTIALLY_REFUNDED', 'payment.refunded'],            // R1
  ['SETTLED',            'refund',   'full',      'REFUNDED',           'payment.refunded'],            // R1
  ['SETTLED',            'refund',   'accepted',  'SETTLED',            'payment.refund-accepted'],
  ['SETTLED',            'refund',   'declined',  'SETTLED',            'payment.refund-declined'],
  ['PARTIALLY_REFUNDED', 'refund',   'accepted',  'PARTIALLY_REFUNDED', 'payment.refund-accepted'],
  ['PARTIALLY_REFUNDED', 'refund',   'declined',  'PARTIALLY_REFUNDED', 'payment.refund-declined'],
  ['PARTIALLY_REFUNDED', 'refund',   'partial',   'PARTIALLY_REFUNDED', 'payment.refunded'],
  ['PARTIALLY_REFUNDED', 'refund',   'full',      'REFUNDED',           'payment.refunded'],
  ['SETTLED',            'dispute',  'opened',    'DISPUTED',           'payment.disputed'],
  ['DISPUTED',           'dispute',  'won',       'SETTLED',            'payment.dispute-won'],
  ['DISPUTED',           'dispute',  'lost',      'REFUNDED',           'payment.dispute-lost'],
] as const satisfies readonly (readonly [State | 'NEW', Cause, string, State, string])[]

/** Outcome of a transition's cause, such as approved or declined; selects the transition. */
export type Outcome = (typeof TRANSITIONS)[number][2]

export type Transition = { from: State | 'NEW'; cause: Cause; outcome: Outcome; to: State; event: string }

/** Finds the transition of a payment from a state by a cause with an outcome; undefined if there is none. */
export const findTransition = (from: State | 'NEW', cause: Cause, outcome: Outcome): Transition | undefined => {
  const row = TRANSITIONS.find(known => known[0] === from && known[1] === cause && known[2] === outcome)
  return row && { from: row[0], cause: row[1], outcome: row[2], to: row[3], event: row[4] }
}

const BEFORE_AUTHORIZATION: readonly State[] = ['AWAITING_SHOPPER', 'AUTHENTICATED']

/** Whether a payment in this state waits for its authorization (D-39). */
export const isBeforeAuthorization = (state: State): boolean => BEFORE_AUTHORIZATION.includes(state)

/** Whether a cause has any transition from a payment's state. */
export const isAllowed = (from: State, cause: Cause): boolean =>
  TRANSITIONS.some(row => row[0] === from && row[1] === cause)
