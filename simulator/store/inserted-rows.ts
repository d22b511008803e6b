import type { Deadline, LedgerEntry, Payment } from '../payments/payment.ts'
import type { LateCall, WriteSet } from './unit-of-work.ts'
import { isFromPlan } from './webhook-row-mapping.ts'
import type { Delivery, Message } from './webhook-store.ts'

/** A table to insert into: its columns with their types in PostgreSQL, and what follows the rows in the statement. */
export type InsertTarget<Column extends string> = {
  table: string
  columns: Readonly<Record<Column, 'text' | 'bigint'>>
  onConflict?: string
}

export type InsertedRow<Column extends string> = Readonly<Record<Column, string | number | null | undefined>>

// biome-ignore format: a table reads by its columns
/** Tables of both stores into which units of work insert rows, each with the columns that they fill. */
export const INSERT_TARGETS = {
  events: { table: 'payment_events', columns: { transaction_id: 'text', record: 'text' } },
  deadlines: {
    table: 'jobs',
    columns: { organization_id: 'text', due_at: 'bigint', name: 'text', transaction_id: 'text', capture_or_refund_id: 'text' },
  },
  lateCalls: {
    table: 'jobs',
    columns: { organization_id: 'text', due_at: 'bigint', name: 'text', transaction_id: 'text', late_call_key: 'text', late_call_fingerprint: 'text', late_call: 'text' },
  },
  ledgerEntries: {
    table: 'ledger_entries',
    columns: { organization_id: 'text', account_id: 'text', transaction_id: 'text', kind: 'text', capture_or_refund_id: 'text', client_transaction_id: 'text', amount: 'bigint', currency: 'text', booked_at: 'bigint', reference: 'text', provider_id: 'text' },
  },
  mandates: {
    table: 'mandates',
    columns: { payment_token: 'text', organization_id: 'text', account_id: 'text', payer_id: 'text', provider_id: 'text', created_at: 'bigint', expires_at: 'bigint', revoked_at: 'bigint', phone_id: 'text', scenario: 'text' },
  },
  triggerCounts: {
    table: 'fault_trigger_counts',
    columns: { organization_id: 'text', idempotency_key: 'text', trigger_count: 'bigint', expires_at: 'bigint' },
    onConflict: 'ON CONFLICT (organization_id, idempotency_key) DO UPDATE SET trigger_count = excluded.trigger_count, expires_at = excluded.expires_at',
  },
  messages: {
    table: 'messages',
    columns: { message_id: 'text', organization_id: 'text', notification_id: 'text', type: 'text', transaction_id: 'text', client_transaction_id: 'text', body: 'text', due_at: 'bigint', variation: 'text', is_from_plan: 'bigint', in_inbox: 'bigint' },
  },
  deliveries: {
    table: 'deliveries',
    columns: { delivery_id: 'text', organization_id: 'text', endpoint_id: 'text', message_id: 'text', first_due_at: 'bigint', due_at: 'bigint', attempt_count: 'bigint', state: 'text' },
  },
} as const

export const deadlineRow = (organizationId: string, transactionId: string, deadline: Deadline) => ({
  organization_id: organizationId,
  due_at: deadline.dueAt,
  name: deadline.name,
  transaction_id: transactionId,
  capture_or_refund_id: deadline.captureOrRefundId,
})

export const lateCallRow = (organizationId: string, { key, fingerprint, transactionId, dueAt, call }: LateCall) => ({
  organization_id: organizationId,
  due_at: dueAt,
  name: 'late-answer',
  transaction_id: transactionId,
  late_call_key: key,
  late_call_fingerprint: fingerprint,
  late_call: call,
})

export const ledgerEntryRow = (organizationId: string, payment: Payment, entry: LedgerEntry) => ({
  organization_id: organizationId,
  account_id: payment.processingAccountId,
  transaction_id: payment.transactionId,
  kind: entry.kind,
  capture_or_refund_id: entry.captureOrRefundId,
  client_transaction_id: entry.clientTransactionId,
  amount: entry.amount,
  currency: payment.currency,
  booked_at: entry.at,
  reference: payment.clientTransactionId,
  provider_id: payment.providerId,
})

export const triggerCountRow = (organizationId: string, trigger: NonNullable<WriteSet['faultTrigger']>) => ({
  organization_id: organizationId,
  idempotency_key: trigger.key,
  trigger_count: trigger.count,
  expires_at: trigger.expiresAt,
})

export const messageRow = (organizationId: string, message: Message, inInbox: 0 | 1 = 1) => ({
  message_id: message.messageId,
  organization_id: organizationId,
  notification_id: message.notificationId,
  type: message.type,
  transaction_id: message.transactionId,
  client_transaction_id: message.clientTransactionId,
  body: message.body,
  due_at: message.dueAt,
  variation: JSON.stringify(message.variation),
  is_from_plan: isFromPlan(message),
  in_inbox: inInbox,
})

export const deliveryRow = (organizationId: string, delivery: Delivery) => ({
  delivery_id: delivery.deliveryId,
  organization_id: organizationId,
  endpoint_id: delivery.endpointId,
  message_id: delivery.messageId,
  first_due_at: delivery.firstDueAt,
  due_at: delivery.dueAt,
  attempt_count: delivery.attemptCount,
  state: delivery.state,
})
