import sql, { join } from 'sql-template-tag'
import { isFromPlan, type MessageRow, toMessage } from '../webhook-row-mapping.ts'
import type { WebhookStore } from '../webhook-store.ts'
import { type Message, PING } from '../webhook-store.ts'
import type { Db } from './pool.ts'
import { allOf } from './query-fragments.ts'

type MessageMethods = Pick<WebhookStore, 'inbox' | 'clearInbox' | 'messages' | 'addMessage'>

/** Inserts webhook messages into PostgreSQL, in their order; the caller awaits the statement. */
export const insertMessages = (
  db: Db,
  organizationId: string,
  messages: readonly Message[],
  inInbox = 1,
): Promise<unknown>[] => {
  const rows = messages.map(
    message => sql`(${message.messageId}, ${organizationId}, ${message.notificationId}, ${message.type},
      ${message.transactionId}, ${message.clientTransactionId}, ${message.body}, ${message.dueAt},
      ${JSON.stringify(message.variation)}, ${isFromPlan(message)}, ${inInbox})`,
  )
  if (rows.length === 0) return []
  return [
    db.run(sql`
      INSERT INTO messages (message_id, organization_id, notification_id, type, transaction_id,
        client_transaction_id, body, due_at, variation, is_from_plan, in_inbox)
      VALUES ${join(rows)}`),
  ]
}

/** Creates the PostgreSQL store of webhook messages and the inbox; each message sent has a row, duplicates included. */
export const createMessageStore = (db: Db): MessageMethods => ({
  inbox: async (organizationId, { order, type, transactionId, clientTransactionId, after, before, now, limit }) => {
    const direction = order === 'newest' ? sql`DESC` : sql`ASC`
    const placeOf = (messageId: string) =>
      sql`(SELECT due_at, position FROM messages WHERE message_id = ${messageId} AND organization_id = ${organizationId})`
    const rows = await db.rows<MessageRow>(sql`
      SELECT * FROM messages
      WHERE ${allOf(
        sql`organization_id = ${organizationId} AND due_at <= ${now} AND in_inbox = 1`,
        transactionId !== undefined && sql`transaction_id = ${transactionId}`,
        type !== undefined && sql`type = ${type}`,
        clientTransactionId !== undefined && sql`client_transaction_id = ${clientTransactionId}`,
        after !== undefined && sql`(due_at, position) > ${placeOf(after)}`,
        before !== undefined && sql`(due_at, position) < ${placeOf(before)}`,
      )}
      ORDER BY due_at ${direction}, position ${direction} LIMIT ${limit}`)
    return rows.map(toMessage)
  },
  clearInbox: async (organizationId, now) =>
    await db.run(sql`
        UPDATE messages SET in_inbox = 0
        WHERE organization_id = ${organizationId} AND due_at <= ${now} AND in_inbox = 1`),
  messages: async (organizationId, from, to) =>
    (
      await db.rows<MessageRow>(sql`
        SELECT * FROM messages
        WHERE organization_id = ${organizationId} AND due_at >= ${from} AND due_at <= ${to} AND type <> ${PING}
        ORDER BY due_at, position`)
    ).map(toMessage),
  addMessage: async (organizationId, message) =>
    void (await Promise.all(insertMessages(db, organizationId, [message], 0))),
})
