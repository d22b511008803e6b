import type {
  ArmedPlan,
  Attempt,
  Delivery,
  DeliveryState,
  DeliveryWithAttempts,
  Endpoint,
  Sending,
} from '../webhooks/notification.ts'

/** Narrows what the inbox shows; only what is due by `now` is in it. */
export type InboxQuery = {
  now: number
  type?: string | undefined
  transactionId?: string | undefined
  clientTransactionId?: string | undefined
  /** A sendingId: only what came after it. */
  after?: string | undefined
  order: 'newest' | 'oldest'
  limit: number
}

export type DeliveryQuery = {
  endpointId?: string | undefined
  transactionId?: string | undefined
  state?: DeliveryState | undefined
  limit: number
}

/** What a try has led to: saved in one piece with the delivery. */
export type Tried = {
  delivery: Delivery
  attempt: Attempt
  /** The endpoint is not to be called again, and what waits for it is dropped. */
  disabled?: { at: number; reason: string } | undefined
}

/** The part of the port that keeps endpoints, notifications and their deliveries. */
export type WebhookStore = {
  addEndpoint(organizationId: string, endpoint: Endpoint): Promise<void>
  /** In the order of their making. */
  endpoints(organizationId: string): Promise<readonly Endpoint[]>
  /** Atomic; undefined where there is none. A disabled endpoint drops what waits for it. */
  changeEndpoint(
    organizationId: string,
    endpointId: string,
    change: (endpoint: Endpoint) => Endpoint,
  ): Promise<Endpoint | undefined>
  /** With it goes what waits for it; false where there is none. */
  removeEndpoint(organizationId: string, endpointId: string): Promise<boolean>

  inbox(organizationId: string, query: InboxQuery): Promise<readonly Sending[]>
  /** Takes what is due by now out of the inbox; how many. Deliveries go on. */
  clearInbox(organizationId: string, now: number): Promise<number>
  /** Those due from an instant up to another, in order of due time. */
  sendings(organizationId: string, from: number, to: number): Promise<readonly Sending[]>
  /** Beside any payment: outside the inbox. */
  addSending(organizationId: string, sending: Sending): Promise<void>

  addDeliveries(organizationId: string, deliveries: readonly Delivery[]): Promise<void>
  /** The first to be tried, by due time and then in the order of saving, but for these endpoints. */
  dueDelivery(organizationId: string, upTo: number, but: readonly string[]): Promise<Delivery | undefined>
  /** The same for one endpoint, or that another replica calls it: the bell rings when that is over. */
  dueDeliveryTo(organizationId: string, endpointId: string, upTo: number): Promise<Delivery | 'claimed' | undefined>
  saveTry(organizationId: string, tried: Tried): Promise<void>
  /** To be tried once more at this instant, whatever became of it; undefined where there is none. */
  resend(organizationId: string, deliveryId: string, dueAt: number): Promise<Delivery | undefined>
  delivery(organizationId: string, deliveryId: string): Promise<DeliveryWithAttempts | undefined>
  /** Newest first. */
  deliveries(organizationId: string, query: DeliveryQuery): Promise<readonly DeliveryWithAttempts[]>

  addPlan(organizationId: string, plan: ArmedPlan): Promise<void>
  /** Those still to be used, oldest first. */
  plans(organizationId: string): Promise<readonly ArmedPlan[]>
  clearPlans(organizationId: string): Promise<number>
}
