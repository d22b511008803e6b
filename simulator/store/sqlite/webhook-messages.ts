import type { Database } from 'better-sqlite3'
import { isFromPlan } from '../webhook-row-mapping.ts'
import type { Message } from '../webhook-store.ts'

/** Prepares the insertion of webhook messages into SQLite; each message sent has a row, duplicates included. */
export const prepareMessageInsertion = (database: Database) => {
  const add = database.prepare<
    [string, string, string, string, string, string, string, number, string, number, number]
  >(`
    INSERT INTO messages (message_id, organization_id, notification_id, type, transaction_id,
      client_transaction_id, body, due_at, variation, is_from_plan, in_inbox)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return (organizationId: string, message: Message, inInbox = 1): void => {
    const { messageId, notificationId, type, transactionId, clientTransactionId, body, dueAt } = message
    const variation = JSON.stringify(message.variation)
    const ids = [transactionId, clientTransactionId] as const
    add.run(
      messageId,
      organizationId,
      notificationId,
      type,
      ...ids,
      body,
      dueAt,
      variation,
      isFromPlan(message),
      inInbox,
    )
  }
}
