import type { Database } from 'better-sqlite3'
import type { Sending } from '../../webhooks/notification.ts'
import { PING } from '../../webhooks/notification.ts'
import { type SendingRow, sendingOf } from '../webhook-rows.ts'
import type { WebhookStore } from '../webhooks-port.ts'

type Added = Omit<Sending, 'variant'> & { organizationId: string; variant: string; inInbox: number }
type Wanted = {
  organizationId: string
  now: number
  type: string | null
  transactionId: string | null
  clientTransactionId: string | null
  after: string | null
  limit: number
}

type Port = Pick<WebhookStore, 'inbox' | 'clearInbox' | 'sendings' | 'addSending'>

/** What merchants are told, row by row as it goes out. */
export const openNotifications = (database: Database) => {
  const add = database.prepare<[Added]>(`
    INSERT INTO notifications (sending_id, organization_id, notification_id, type, transaction_id,
      client_transaction_id, body, due_at, variant, in_inbox)
    VALUES (@sendingId, @organizationId, @notificationId, @type, @transactionId,
      @clientTransactionId, @body, @dueAt, @variant, @inInbox)`)
  const list = {
    newest: database.prepare<[Wanted], SendingRow>(inboxQuery('DESC')),
    oldest: database.prepare<[Wanted], SendingRow>(inboxQuery('ASC')),
  }
  const clear = database.prepare<[string, number]>(
    'UPDATE notifications SET in_inbox = 0 WHERE organization_id = ? AND due_at <= ? AND in_inbox = 1',
  )
  const between = database.prepare<[string, number, number, string], SendingRow>(`
    SELECT * FROM notifications WHERE organization_id = ? AND due_at >= ? AND due_at <= ? AND type <> ?
    ORDER BY due_at, position`)

  const insert = (organizationId: string, { variant, ...sending }: Sending, inInbox = 1): void =>
    void add.run({ ...sending, organizationId, variant: JSON.stringify(variant), inInbox })

  const port: Port = {
    inbox: async (organizationId, { order, type, transactionId, clientTransactionId, after, now, limit }) =>
      list[order]
        .all({
          organizationId,
          now,
          type: type ?? null,
          transactionId: transactionId ?? null,
          clientTransactionId: clientTransactionId ?? null,
          after: after ?? null,
          limit,
        })
        .map(sendingOf),
    clearInbox: async (organizationId, now) => clear.run(organizationId, now).changes,
    sendings: async (organizationId, from, to) => between.all(organizationId, from, to, PING).map(sendingOf),
    addSending: async (organizationId, sending) => insert(organizationId, sending, 0),
  }
  return { add: insert, port }
}

const inboxQuery = (direction: 'ASC' | 'DESC'): string => `
  SELECT * FROM notifications
  WHERE organization_id = @organizationId AND due_at <= @now AND in_inbox = 1
    AND (@transactionId IS NULL OR transaction_id = @transactionId)
    AND (@type IS NULL OR type = @type)
    AND (@clientTransactionId IS NULL OR client_transaction_id = @clientTransactionId)
    AND (@after IS NULL OR (due_at, position) > (SELECT due_at, position FROM notifications
      WHERE sending_id = @after AND organization_id = @organizationId))
  ORDER BY due_at ${direction}, position ${direction} LIMIT @limit`
