import type { Delivery, DeliveryPlan, DeliveryState, Endpoint, Message, MessageVariation } from './webhook-store.ts'

/** Attempts that a delivery keeps beside a new one: the newest, and the newest that are not extra: ten are automatic. */
export const KEPT_ATTEMPTS = { newest: 19, automatic: 10 } as const
/** LIKE pattern of an extra attempt's record: JSON functions of PostgreSQL fail on a body with a NUL character. */
export const EXTRA_ATTEMPT = '%,"isExtra":true}'

export type MessageRow = {
  message_id: string
  notification_id: string
  type: string
  transaction_id: string
  client_transaction_id: string
  body: string
  due_at: number
  variation: string
}

export const toMessage = (row: MessageRow): Message => ({
  messageId: row.message_id,
  notificationId: row.notification_id,
  type: row.type as Message['type'],
  transactionId: row.transaction_id,
  clientTransactionId: row.client_transaction_id,
  body: row.body,
  dueAt: row.due_at,
  variation: JSON.parse(row.variation) as MessageVariation,
})

/**
 * Returns the value of the store column `is_from_plan`: 1 if a delivery plan changed the message, whose due time may
 * lie ahead then.
 */
export const isFromPlan = ({ variation }: Message): 0 | 1 => (variation.deviations ? 1 : 0)

export type DeliveryRow = {
  delivery_id: string
  endpoint_id: string
  message_id: string
  first_due_at: number
  due_at: number | null
  attempt_count: number
  state: string
  resent_at: number | null
}

export const toDelivery = (row: DeliveryRow): Delivery => ({
  deliveryId: row.delivery_id,
  endpointId: row.endpoint_id,
  messageId: row.message_id,
  firstDueAt: row.first_due_at,
  ...(row.due_at === null ? {} : { dueAt: row.due_at }),
  attemptCount: row.attempt_count,
  state: row.state as DeliveryState,
  ...(row.resent_at === null ? {} : { resentAt: row.resent_at }),
})

export type EndpointRow = { record: string }
export type PlanRow = EndpointRow & { remaining_uses: number }

export const toEndpoint = ({ record }: EndpointRow): Endpoint => JSON.parse(record) as Endpoint

export const toDeliveryPlan = ({ record, remaining_uses }: PlanRow): DeliveryPlan => ({
  ...(JSON.parse(record) as Omit<DeliveryPlan, 'left'>),
  left: remaining_uses,
})
