import type { ArmedPlan, Delivery, DeliveryState, Endpoint, Sending, Variant } from '../webhooks/notification.ts'

export type SendingRow = {
  sending_id: string
  notification_id: string
  type: string
  transaction_id: string
  client_transaction_id: string
  body: string
  due_at: number
  variant: string
}

export const sendingOf = (row: SendingRow): Sending => ({
  sendingId: row.sending_id,
  notificationId: row.notification_id,
  type: row.type as Sending['type'],
  transactionId: row.transaction_id,
  clientTransactionId: row.client_transaction_id,
  body: row.body,
  dueAt: row.due_at,
  variant: JSON.parse(row.variant) as Variant,
})

export type DeliveryRow = {
  delivery_id: string
  endpoint_id: string
  sending_id: string
  first_due_at: number
  due_at: number | null
  tries: number
  state: string
}

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  deliveryId: row.delivery_id,
  endpointId: row.endpoint_id,
  sendingId: row.sending_id,
  firstDueAt: row.first_due_at,
  ...(row.due_at === null ? {} : { dueAt: row.due_at }),
  tries: row.tries,
  state: row.state as DeliveryState,
})

export type EndpointRow = { record: string }
export type PlanRow = EndpointRow & { remaining: number }

export const endpointOf = ({ record }: EndpointRow): Endpoint => JSON.parse(record) as Endpoint

export const planOf = ({ record, remaining }: PlanRow): ArmedPlan => ({
  ...(JSON.parse(record) as Omit<ArmedPlan, 'left'>),
  left: remaining,
})
