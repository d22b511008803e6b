import sql, { type Sql } from 'sql-template-tag'
import { allOf, type Db } from '../sql-statements.ts'
import { isFromPlan, type MessageRow, toMessage } from '../webhook-row-mapping.ts'
import type { WebhookStore } from '../webhook-store.ts'
import { type Message, PING } from '../webhook-store.ts'
import { insertRows, type OfOrganization } from './insert-rows.ts'
import { runAll } from './pool.ts'

type MessageMethods = Pick<WebhookStore, 'inbox' | 'hasMessage' | 'clearInbox' | 'messages' | 'addMessage'>

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
  hasMessage: async (organizationId, messageId) => {
    const wanted = sql`message_id = ${messageId} AND organization_id = ${organizationId}`
    return (await db.rows(sql`SELECT 1 FROM messages WHERE ${wanted}`)).length > 0
  },
  clearInbox: async (organizationId, now) =>
    await db.run(sql`
        UPDATE messages SET in_inbox = 0
        WHERE organization_id = ${organizationId} AND due_at <= ${now} AND in_inbox = 1`),
  messages: async (organizationId, from, to, limit) =>
    (
      await db.rows<MessageRow>(sql`
        SELECT * FROM messages
        WHERE organization_id = ${organizationId} AND due_at >= ${from} AND due_at <= ${to} AND type <> ${PING}
        ORDER BY due_at, position LIMIT ${limit}`)
    ).map(toMessage),
  addMessage: async (organizationId, message) =>
    void (await runAll(db, insertMessages([{ organizationId, messages: [message] }], 0))),
})
