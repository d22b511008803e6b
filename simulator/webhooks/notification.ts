import type { PlanDeed, PlanRule } from '../payments/delivery-plan.ts'

export const NOTIFICATION_TYPES = [
  'PAYMENT_INITIATE',
  'PAYMENT_FINALIZE',
  'PAYMENT_CAPTURE',
  'PAYMENT_REFUND',
  'PAYMENT_DISPUTE',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** How the headers of a sending differ from honest ones, and every deed of a plan that had a hand in it. */
export type Variant = { wrongKey?: true; staleBy?: number; deeds?: readonly PlanDeed[] }

/** One time that a notification goes out, to the inbox and to whoever is subscribed; a duplicate is one more. */
export type Sending = {
  sendingId: string
  notificationId: string
  /** What it is about, whatever its body says. */
  type: NotificationType | typeof PING
  transactionId: string
  clientTransactionId: string
  /** The exact bytes that are signed and sent. */
  body: string
  dueAt: number
  variant: Variant
}

/** What a test of an endpoint sends: about no payment, and never in the inbox. */
export const PING = 'PING'

/** A key of an endpoint; the one before it holds `until` then, epoch milliseconds on the organization's clock. */
export type Secret = { secret: string; until?: number }

/** Where a merchant wants to be told. */
export type Endpoint = {
  endpointId: string
  url: string
  /** Undefined: all, those to come among them. */
  types?: readonly NotificationType[]
  /** The newest first. */
  secrets: readonly Secret[]
  createdAt: number
  /** Why nothing is sent there any more. */
  disabled?: { at: number; reason: string }
}

export type DeliveryState = 'waiting' | 'delivered' | 'dropped'

/** A sending on its way to one endpoint. */
export type Delivery = {
  deliveryId: string
  endpointId: string
  sendingId: string
  /** When it was to arrive at first: 24 hours later it is given up. */
  firstDueAt: number
  /** When the next try is due; undefined when it is over. */
  dueAt?: number
  tries: number
  state: DeliveryState
}

/** One try: what went out, and what came back. */
export type Attempt = {
  /** On the organization's clock. */
  at: number
  /** Real time: tells the order where that clock stands still. */
  real?: number
  durationMilliseconds: number
  request: { method: 'POST'; url: string; headers: Readonly<Record<string, string>> }
  answer?: { status: number; headers: Readonly<Record<string, string>>; body: string }
  /** Why there is no answer. */
  error?: string
}

export type DeliveryWithAttempts = Delivery & {
  sending: Sending
  attempts: readonly Attempt[]
}

/** A rule for payments yet to be told of, set by hand: for the next `left` notifications that it fits. */
export type ArmedPlan = PlanRule & { planId: string; match: PlanMatch; left: number }

/** Every member given must fit. */
export type PlanMatch = { transactionId?: string; clientTransactionId?: string; payerId?: string }

/** What the store knows that decides how a change is told. */
export type Listeners = { endpoints: readonly Endpoint[]; plans: readonly ArmedPlan[] }

/** What a unit of work leaves behind for merchants to be told. */
export type Told = {
  sendings: readonly Sending[]
  deliveries: readonly Delivery[]
  spentPlans: readonly { planId: string; times: number }[]
}
