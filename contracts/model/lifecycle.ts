import { capturedOf, openToCapture, type Payment, refundedOf, settledOf } from './model-state.ts'

/** Stages of a payment: the categories of clause 3, with the parts of a capture and a refund told apart. */
export type Stage =
  | 'waiting'
  | 'authenticated'
  | 'authorized'
  | 'partly captured'
  | 'captured'
  | 'settled'
  | 'partly refunded'
  | 'refunded'
  | 'tokenized'
  | 'declined'
  | 'canceled'
  | 'expired'

/** Every step from one stage to another, or to itself with other sums: cause, outcome and clause. Coverage counts these. */
// biome-ignore format: a table reads by its columns
export const TRANSITIONS = [
  // from             cause       outcome     to                 clause
  ['none',            'initiate', 'begun',    'waiting',         '3, E4'],
  ['none',            'initiate', 'mocked',   'authenticated',   'E3, D-95'],
  ['none',            'initiate', 'declined', 'declined',        '7.5, D-42'],
  ['none',            'charge',   'approved', 'authorized',      '3'],
  ['none',            'charge',   'captured', 'captured',        '2.1, 3'],
  ['none',            'charge',   'declined', 'declined',        '7.5'],
  ['waiting',         'shopper',  'approved', 'authenticated',   '3, R6'],
  ['waiting',         'shopper',  'declined', 'declined',        '7.5, D-43'],
  ['waiting',         'time',     'lapsed',   'expired',         'R6, R7'],
  ['waiting',         'cancel',   'canceled', 'canceled',        'D-39'],
  ['authenticated',   'finalize', 'approved', 'authorized',      '3'],
  ['authenticated',   'finalize', 'captured', 'captured',        '2.1, 3'],
  ['authenticated',   'finalize', 'tokenized', 'tokenized',      '1, D-62'],
  ['authenticated',   'finalize', 'declined', 'declined',        '7.5'],
  ['authenticated',   'time',     'lapsed',   'expired',         '3, D-118'],
  ['authenticated',   'cancel',   'canceled', 'canceled',        'D-39'],
  ['authorized',      'cancel',   'canceled', 'canceled',        'R2'],
  ['authorized',      'time',     'lapsed',   'expired',         'R3'],
  ['authorized',      'capture',  'partial',  'partly captured', '1, R5'],
  ['authorized',      'capture',  'full',     'captured',        '3'],
  ['partly captured', 'capture',  'partial',  'partly captured', '1, R5'],
  ['partly captured', 'capture',  'full',     'captured',        '1, R5'],
  ['partly captured', 'capture',  'full',     'settled',         'R4'],
  ['partly captured', 'cancel',   'canceled', 'canceled',        'R2, D-39'],
  ['partly captured', 'time',     'settled',  'partly captured', 'R4'],
  ['partly captured', 'time',     'released', 'captured',        'R3'],
  ['partly captured', 'time',     'released', 'settled',         'R3'],
  ['partly captured', 'time',     'released', 'partly refunded', 'R3, D-120'],
  ['partly captured', 'time',     'released', 'refunded',        'R3, D-120'],
  ['partly captured', 'refund',   'partial',  'partly captured', 'R1, D-120'],
  ['captured',        'time',     'settled',  'captured',        'R4'],
  ['captured',        'time',     'settled',  'settled',         'R4'],
  ['captured',        'time',     'settled',  'partly refunded', 'R4, D-120'],
  ['captured',        'refund',   'partial',  'captured',        'R1, D-120'],
  ['settled',         'refund',   'partial',  'partly refunded', 'R1'],
  ['settled',         'refund',   'full',     'refunded',        'R1'],
  ['partly refunded', 'refund',   'partial',  'partly refunded', 'R1'],
  ['partly refunded', 'refund',   'full',     'refunded',        'R1'],
] as const satisfies readonly (readonly [Stage | 'none', string, string, Stage, string])[]

/** Returns the lifecycle stage of a payment of the model, by its phase and its sums. */
export const stageOf = (payment: Payment): Stage => {
  if (payment.phase !== 'held') return payment.phase
  const [captured, refunded] = [capturedOf(payment), refundedOf(payment)]
  if (captured === 0) return 'authorized'
  if (openToCapture(payment) > 0) return 'partly captured'
  if (settledOf(payment) < captured) return 'captured'
  if (refunded === 0) return 'settled'
  return refunded === captured ? 'refunded' : 'partly refunded'
}

/**
 * Finds the row of the lifecycle table by which a payment came from one stage to another, by any cause where none is
 * given; undefined where the lifecycle has none.
 */
export const transitionOf = (
  from: Stage | 'none',
  cause: string | undefined,
  to: Stage,
): (typeof TRANSITIONS)[number] | undefined =>
  TRANSITIONS.find(row => row[0] === from && row[1] === (cause ?? row[1]) && row[3] === to)
