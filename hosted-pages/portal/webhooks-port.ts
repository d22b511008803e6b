import type { Wish } from './wish.ts'

/** How the organization is told what happens (6). Times are epoch milliseconds on its clock. */
export type WebhooksPort = {
  types: readonly string[]
  endpoints(organizationId: string): Promise<readonly EndpointView[]>
  endpoint(organizationId: string, endpointId: string): Promise<EndpointView | undefined>
  /** No types: all of them, those to come among them. The answer is the endpoint's id. */
  add(organizationId: string, url: string, types: readonly string[]): Promise<Wish<string>>
  change(organizationId: string, endpointId: string, change: EndpointChange): Promise<Wish<string>>
  remove(organizationId: string, endpointId: string): Promise<Wish<string>>
  /** The secrets before go on signing for a while, an ISO 8601 duration. */
  rotate(organizationId: string, endpointId: string, overlap: string): Promise<Wish<string>>
  /** The answer is the delivery to look for. */
  test(organizationId: string, endpointId: string): Promise<Wish<string>>
  /** What was due in the last while, once more; how many notifications. */
  replay(organizationId: string, endpointId: string, last: string): Promise<Wish<number>>

  deliveries(organizationId: string, query: DeliveryQuery): Promise<readonly DeliveryView[]>
  delivery(organizationId: string, deliveryId: string): Promise<DeliveryView | undefined>
  resend(organizationId: string, deliveryId: string): Promise<Wish<string>>

  inbox(organizationId: string, limit: number): Promise<{ secret: string; messages: readonly MessageView[] }>
  clearInbox(organizationId: string): Promise<number>
}

export type EndpointChange = { url: string; types: readonly string[] } | { enabled: boolean }

export type EndpointView = {
  endpointId: string
  url: string
  /** Undefined: all. */
  types?: readonly string[]
  /** The newest first. */
  secrets: readonly { secret: string; until?: number }[]
  createdAt: number
  disabled?: { at: number; reason: string }
}

export type DeliveryState = 'waiting' | 'delivered' | 'dropped'
export type DeliveryQuery = { endpointId?: string; state?: DeliveryState | undefined; limit: number }

export type DeliveryView = {
  deliveryId: string
  endpointId: string
  state: DeliveryState
  type: string
  /** Empty where it is about no payment. */
  transactionId: string
  body: string
  firstDueAt: number
  /** When the next try is due. */
  dueAt?: number
  attempts: readonly AttemptView[]
}

export type AttemptView = {
  at: number
  durationMilliseconds: number
  request: { method: string; url: string; headers: Headers }
  answer?: { status: number; headers: Headers; body: string }
  /** Why there is no answer. */
  error?: string
}

type Headers = Readonly<Record<string, string>>

export type MessageView = {
  id: string
  at: number
  type: string
  transactionId: string
  target: string
  headers: Headers
  body: string
}
