/** The lanes of a timeline's picture from top to bottom: at one instant, what stands higher came first. */
export const LANES = ['clock', 'shopper', 'call', 'state', 'webhook'] as const
export type Lane = (typeof LANES)[number]

/** The tone of a mark, shown by its colour: whether what happened went well. */
export type Tone = 'good' | 'bad' | 'plain'

/**
 * A mark of a timeline, as control returns it and the portal draws it: an event of a payment, past or `planned`; epoch
 * milliseconds on its organization's clock.
 */
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
  /** The layer that refused. */
  refusedBy?: string
  replayed?: true
  scenario?: string
  /** Trace of the caller (W3C Trace Context). */
  traceId?: string
  /** How many equal calls on end this mark stands for, the last of them at `lastAt`. */
  times?: number
  lastAt?: number
}

export type StateMark = {
  lane: 'state'
  /** The event, such as payment.captured; of what is to come, the deadline. */
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
  /** Where it went; absent: it waits in the inbox. */
  url?: string
  deliveryId?: string
  /** The number of the attempt, from 1. */
  nth?: number
  status?: number
  error?: string
  durationMilliseconds?: number
}

/** A payment with the marks of its timeline as the portal draws it, in their order of time. */
export type PaymentTimeline = {
  transactionId: string
  clientTransactionId: string
  providerId: string
  state: string
  status: string
  amount: number
  currency: string
  description: string
  createdAt: number
  now: number
  marks: readonly Mark[]
}
