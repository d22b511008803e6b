import type { DeliveryDeviation, DeliveryRule } from '../payments/delivery-plan-rule.ts'
import type { NotificationType } from '../payments/notification-types.ts'

/**
 * Deviations of a webhook message from a correct one: wrong key, stale timestamp, and the delivery deviations applied.
 */
export type MessageVariation = {
  wrongKey?: true
  staleBy?: number
  deviations?: readonly DeliveryDeviation[]
  /** Header of the trace that it carries on. */
  traceparent?: string
}

/** A message of the webhook outbox: one transmission of a notification, to the inbox and all subscribed endpoints. */
export type Message = {
  messageId: string
  notificationId: string
  /** Type of the notification; a deviation may put another one into the body. */
  type: NotificationType | typeof PING
  transactionId: string
  clientTransactionId: string
  /** The exact bytes that are signed and sent. */
  body: string
  dueAt: number
  variation: MessageVariation
}

/** Type of the webhook message that tests an endpoint: about no payment, and never in the inbox. */
export const PING = 'PING'

/**
 * A signing secret of a webhook endpoint; a rotated one is valid until `until`, epoch milliseconds (organization's
 * clock).
 */
export type EndpointSecret = { secret: string; until?: number }

/** A webhook endpoint of a merchant as stored. */
export type Endpoint = {
  endpointId: string
  url: string
  /** Subscribed types; undefined for all, including future ones. */
  types?: readonly NotificationType[]
  /** Signing secrets, newest first. */
  secrets: readonly EndpointSecret[]
  createdAt: number
  /** When and why the endpoint was disabled. */
  disabled?: { at: number; reason: string }
  /** The newest attempt, where it was not acknowledged: when, and of which delivery. */
  failing?: { at: number; deliveryId: string }
}

export type DeliveryState = 'waiting' | 'delivered' | 'dropped'

/** The delivery of one webhook message to one endpoint, as stored. */
export type Delivery = {
  deliveryId: string
  endpointId: string
  messageId: string
  /** When its first attempt was due. */
  firstDueAt: number
  /** When the next attempt is due; undefined if it is finished. */
  dueAt?: number
  attemptCount: number
  state: DeliveryState
  /** Real time at which somebody last asked to send it again, the same for all that were asked for at once. */
  resentAt?: number
}

/** One attempt of a webhook delivery as stored: request, and response or error. */
export type DeliveryAttempt = {
  /** On the organization's clock. */
  at: number
  /** Real time, for the order of attempts while that clock is frozen. */
  real?: number
  durationMilliseconds: number
  request: { method: 'POST'; url: string; headers: Readonly<Record<string, string>> }
  response?: { status: number; headers: Readonly<Record<string, string>>; body: string }
  /** Why there is no response. */
  error?: string
  /** The `resentAt` of the delivery, where a resend asked for the attempt. */
  resentAt?: number
  /** Whether it was made beside the automatic attempts, of which one is still to come; the last member of the record. */
  isExtra?: true
}

export type DeliveryWithAttempts = Delivery & {
  message: Message
  /** The newest, and the automatic ones, whose number decides when the next is due; oldest first. */
  attempts: readonly DeliveryAttempt[]
}

/** A delivery plan set by the operator: one rule for the next `left` notifications of the payments that match. */
export type DeliveryPlan = DeliveryRule & { planId: string; match: DeliveryPlanMatch; left: number }

/** Identifiers of a payment that a delivery plan requires; every one given must match. */
export type DeliveryPlanMatch = { transactionId?: string; clientTransactionId?: string; payerId?: string }

/** Criteria of a query for messages of the webhook inbox, which holds those due by `now`. */
export type InboxQuery = {
  now: number
  type?: string | undefined
  transactionId?: string | undefined
  clientTransactionId?: string | undefined
  /** A messageId: only messages after it. */
  after?: string | undefined
  /** A messageId: only messages before it. */
  before?: string | undefined
  order: 'newest' | 'oldest'
  limit: number
}

export type DeliveryQuery = {
  endpointId?: string | undefined
  /** The payment, or any of several. */
  transactionId?: string | readonly string[] | undefined
  state?: DeliveryState | undefined
  /** Whether it was tried: of those that wait, the failing ones. */
  isTried?: boolean | undefined
  /** A deliveryId: only deliveries made before it. */
  before?: string | undefined
  limit: number
}

/** Count of the webhook deliveries to an endpoint in one state, tried or not. */
export type DeliveryCount = { endpointId: string; state: DeliveryState; isTried: boolean; count: number }

/** Counts of the deliveries that were asked for by one resend; the open ones are on their way. */
export type ResendCount = { delivered: number; failing: number; open: number }

/** A delivery as it is after an attempt, with that attempt. */
type AttemptedDelivery = {
  delivery: Delivery
  attempt: DeliveryAttempt
  /** Changes the endpoint; one that becomes disabled drops its pending deliveries. */
  changed?: ((endpoint: Endpoint) => Endpoint) | undefined
}

/** Store operations for webhook endpoints, messages, deliveries and delivery plans. */
export type WebhookStore = {
  addEndpoint(organizationId: string, endpoint: Endpoint): Promise<void>
  /** Endpoints in order of creation. */
  endpoints(organizationId: string): Promise<readonly Endpoint[]>
  /** Changes an endpoint atomically; undefined if there is none. Disabling it drops its pending deliveries. */
  changeEndpoint(
    organizationId: string,
    endpointId: string,
    change: (endpoint: Endpoint) => Endpoint,
  ): Promise<Endpoint | undefined>
  /** Removes an endpoint and drops its pending deliveries; false if there is none. */
  removeEndpoint(organizationId: string, endpointId: string): Promise<boolean>

  inbox(organizationId: string, query: InboxQuery): Promise<readonly Message[]>
  /** Whether the organization has this message, in the inbox or not. */
  hasMessage(organizationId: string, messageId: string): Promise<boolean>
  /** Removes messages due by `now` from the inbox and returns how many; their deliveries go on. */
  clearInbox(organizationId: string, now: number): Promise<number>
  /** Messages due between two instants, both included, in order of due time, at most `limit`; without test pings. */
  messages(organizationId: string, from: number, to: number, limit: number): Promise<readonly Message[]>
  /** Saves a message that is about no payment; it does not appear in the inbox. */
  addMessage(organizationId: string, message: Message): Promise<void>

  addDeliveries(organizationId: string, deliveries: readonly Delivery[]): Promise<void>
  /** First delivery due at `upTo`, by due time, then in order of insertion; `but` excludes endpoints. */
  dueDelivery(organizationId: string, upTo: number, but: readonly string[]): Promise<Delivery | undefined>
  /** First due delivery to one endpoint; `claimed` while another replica calls the endpoint, which then notifies. */
  dueDeliveryTo(organizationId: string, endpointId: string, upTo: number): Promise<Delivery | 'claimed' | undefined>
  /**
   * Saves an attempt in place of the oldest of too many; a delivery that was resent during it stays due. `busy`, and
   * nothing is saved, while the whole state of the organization is read or replaced.
   */
  saveAttempt(organizationId: string, tried: AttemptedDelivery): Promise<'busy' | undefined>
  /** Schedules a delivery for another attempt, whatever its state; undefined if there is none. */
  resend(organizationId: string, deliveryId: string, due: { at: number; real: number }): Promise<Delivery | undefined>
  /** Counts the deliveries whose last resend was at `real`; those due at `now` are open. */
  countResent(organizationId: string, real: number, now: number): Promise<ResendCount>
  delivery(organizationId: string, deliveryId: string): Promise<DeliveryWithAttempts | undefined>
  /** Deliveries, newest first. */
  deliveries(organizationId: string, query: DeliveryQuery): Promise<readonly DeliveryWithAttempts[]>
  countDeliveries(organizationId: string): Promise<readonly DeliveryCount[]>

  addPlan(organizationId: string, plan: DeliveryPlan): Promise<void>
  /** Delivery plans with uses left, oldest first. */
  plans(organizationId: string): Promise<readonly DeliveryPlan[]>
  clearPlans(organizationId: string): Promise<number>
}
