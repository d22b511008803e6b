import type { Database } from 'better-sqlite3'
import type { Sending } from '../../webhooks/notification.ts'
import { PING } from '../../webhooks/notification.ts'
import { type SendingRow, sendingOf } from '../webhook-rows.ts'
import type { InboxQuery, WebhookStore } from '../webhooks-port.ts'
import { allOf, preparedOnce } from './all-of.ts'

type Wanted = InboxQuery & { organizationId: string }

type Port = Pick<WebhookStore, 'inbox' | 'clearInbox' | 'sendings' | 'addSending'>

/** What merchants are told, row by row as it goes out. */
export const openNotifications = (database: Database) => {
  const add = database.prepare<[string, string, string, string, string, string, string, number, string, number]>(`
    INSERT INTO notifications (sending_id, organization_id, notification_id, type, transaction_id,
      client_transaction_id, body, due_at, variant, in_inbox)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const list = preparedOnce<[Wanted], SendingRow>(database)
  const clear = database.prepare<[string, number]>(
    'UPDATE notifications SET in_inbox = 0 WHERE organization_id = ? AND due_at <= ? AND in_inbox = 1',
  )
  const between = database.prepare<[string, number, number, string], SendingRow>(`
    SELECT * FROM notifications WHERE organization_id = ? AND due_at >= ? AND due_at <= ? AND type <> ?
    ORDER BY due_at, position`)

  const insert = (organizationId: string, sending: Sending, inInbox = 1): void => {
    const { sendingId, notificationId, type, transactionId, clientTransactionId, body, dueAt } = sending
    const variant = JSON.stringify(sending.variant)
    const about = [transactionId, clientTransactionId] as const
    add.run(sendingId, organizationId, notificationId, type, ...about, body, dueAt, variant, inInbox)
  }

  const port: Port = {
    inbox: async (organizationId, query) =>
      list(inboxQuery(query))
        .all({ ...query, organizationId })
        .map(sendingOf),
    clearInbox: async (organizationId, now) => clear.run(organizationId, now).changes,
    sendings: async (organizationId, from, to) => between.all(organizationId, from, to, PING).map(sendingOf),
    addSending: async (organizationId, sending) => insert(organizationId, sending, 0),
  }
  return { add: insert, port }
}

const inboxQuery = ({ order, type, transactionId, clientTransactionId, after }: InboxQuery): string => {
  const way = order === 'newest' ? 'DESC' : 'ASC'
  const behind = `(due_at, position) > (SELECT due_at, position FROM notifications
    WHERE sending_id = @after AND organization_id = @organizationId)`
  return `
    SELECT * FROM notifications
    WHERE ${allOf(
      'organization_id = @organizationId AND due_at <= @now AND in_inbox = 1',
      transactionId !== undefined && 'transaction_id = @transactionId',
      type !== undefined && 'type = @type',
      clientTransactionId !== undefined && 'client_transaction_id = @clientTransactionId',
      after !== undefined && behind,
    )}
    ORDER BY due_at ${way}, position ${way} LIMIT @limit`
}
