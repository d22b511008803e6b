import type { Sql } from 'sql-template-tag'
import { isFromPlan } from '../webhook-row-mapping.ts'
import type { Message } from '../webhook-store.ts'
import { insertRows, type OfOrganization } from './insert-rows.ts'

// biome-ignore format: a table reads by its columns
const MESSAGES = {
  table: 'messages',
  columns: { message_id: 'text', organization_id: 'text', notification_id: 'text', type: 'text', transaction_id: 'text', client_transaction_id: 'text', body: 'text', due_at: 'bigint', variation: 'text', is_from_plan: 'bigint', in_inbox: 'bigint' },
} as const

/** Returns the statement that inserts webhook messages into PostgreSQL, in their order. */
export const insertMessages = (
  saved: readonly OfOrganization<{ messages: readonly Message[] }>[],
  inInbox: 0 | 1 = 1,
): Sql[] =>
  insertRows(
    MESSAGES,
    saved.flatMap(({ organizationId, messages }) =>
      messages.map(message => ({
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
      })),
    ),
  )
