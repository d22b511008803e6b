/** Kinds of timeline marks, in the order in which they happen at one instant. */
export const LANES = ['clock', 'shopper', 'call', 'state', 'webhook'] as const
export type Lane = (typeof LANES)[number]

/** Tone of a timeline mark: how its event went. */
export type Tone = 'good' | 'bad' | 'plain'

/** A mark of a timeline: an event of a payment, past or `planned`; epoch milliseconds on the organization's clock. */
export type Mark = { at: number; tone: Tone; planned?: true } & (
  | { lane: 'clock'; way: ClockWay; until: number; rate: number; ran: number }
  | { lane: 'shopper'; action: string; late?: true }
  | CallMark
  | StateMark
  | WebhookMark
)

export type ClockWay = 'advance' | 'next' | 'to' | 'drain' | 'freeze' | 'real' | 'scale'

export type CallMark = {
  lane: 'call'
  callId: string
  /** The operation, or the end of the path where it was refused before the operation was known. */
  name: string
  method: string
  target: string
  status: number
  durationMilliseconds: number
  reasonCode?: string
  message?: string
  /** The layer that refused the call. */
  refusedBy?: string
  replayed?: true
  scenario?: string
  /** Trace of the caller (W3C Trace Context). */
  traceId?: string
  /** Number of equal consecutive calls that this mark stands for, the last of them at `lastAt`. */
  times?: number
  lastAt?: number
}

export type StateMark = {
  lane: 'state'
  /** The event, such as payment.captured; for a planned mark, the deadline. */
  name: string
  cause?: string
  state?: string
  reasonCode?: string
  message?: string
  amount?: number
}

export type WebhookMark = {
  lane: 'webhook'
  /** The type of the notification. */
  name: string
  /** Where the notification was sent; absent while it waits in the inbox. */
  url?: string
  deliveryId?: string
  /** The number of the attempt, from 1. */
  nth?: number
  status?: number
  error?: string
  durationMilliseconds?: number
}
