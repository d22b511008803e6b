import type { Database } from 'better-sqlite3'
import { isFromPlan, type MessageRow, toMessage } from '../webhook-row-mapping.ts'
import type { InboxQuery, Message, WebhookStore } from '../webhook-store.ts'
import { PING } from '../webhook-store.ts'
import { allOf } from './query-fragments.ts'
import { createStatementCache } from './statement-cache.ts'

type InboxParameters = InboxQuery & { organizationId: string }

type MessageMethods = Pick<WebhookStore, 'inbox' | 'hasMessage' | 'clearInbox' | 'messages' | 'addMessage'>

/** Opens the SQLite store of webhook messages and the inbox; each message sent has a row, duplicates included. */
export const openMessages = (database: Database) => {
  const add = database.prepare<
    [string, string, string, string, string, string, string, number, string, number, number]
  >(`
    INSERT INTO messages (message_id, organization_id, notification_id, type, transaction_id,
      client_transaction_id, body, due_at, variation, is_from_plan, in_inbox)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const list = createStatementCache<[InboxParameters], MessageRow>(database)
  const one = database.prepare<[string, string]>('SELECT 1 FROM messages WHERE message_id = ? AND organization_id = ?')
  const clear = database.prepare<[string, number]>(
    'UPDATE messages SET in_inbox = 0 WHERE organization_id = ? AND due_at <= ? AND in_inbox = 1',
  )
  const between = database.prepare<[string, number, number, string, number], MessageRow>(`
    SELECT * FROM messages WHERE organization_id = ? AND due_at >= ? AND due_at <= ? AND type <> ?
    ORDER BY due_at, position LIMIT ?`)

  const insert = (organizationId: string, message: Message, inInbox = 1): void => {
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

  const port: MessageMethods = {
    inbox: async (organizationId, query) =>
      list(inboxQuery(query))
        .all({ ...query, organizationId })
        .map(toMessage),
    hasMessage: async (organizationId, messageId) => one.get(messageId, organizationId) !== undefined,
    clearInbox: async (organizationId, now) => clear.run(organizationId, now).changes,
    messages: async (organizationId, from, to, limit) =>
      between.all(organizationId, from, to, PING, limit).map(toMessage),
    addMessage: async (organizationId, message) => insert(organizationId, message, 0),
  }
  return { add: insert, port }
}

const inboxQuery = ({ order, type, transactionId, clientTransactionId, after, before }: InboxQuery): string => {
  const direction = order === 'newest' ? 'DESC' : 'ASC'
  const placeOf = (parameter: string) =>
    `(SELECT due_at, position FROM messages WHERE message_id = ${parameter} AND organization_id = @organizationId)`
  return `
    SELECT * FROM messages
    WHERE ${allOf(
      'organization_id = @organizationId AND due_at <= @now AND in_inbox = 1',
      transactionId !== undefined && 'transaction_id = @transactionId',
      type !== undefined && 'type = @type',
      clientTransactionId !== undefined && 'client_transaction_id = @clientTransactionId',
      after !== undefined && `(due_at, position) > ${placeOf('@after')}`,
      before !== undefined && `(due_at, position) < ${placeOf('@before')}`,
    )}
    ORDER BY due_at ${direction}, position ${direction} LIMIT @limit`
}
