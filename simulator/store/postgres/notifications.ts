import sql from 'sql-template-tag'
import { PING, type Sending } from '../../webhooks/notification.ts'
import { type SendingRow, sendingOf } from '../webhook-rows.ts'
import type { WebhookStore } from '../webhooks-port.ts'
import { allOf } from './all-of.ts'
import type { Db } from './open.ts'

type Port = Pick<WebhookStore, 'inbox' | 'clearInbox' | 'sendings' | 'addSending'>

export const addSending = (db: Db, organizationId: string, sending: Sending, inInbox = 1) =>
  db.run(sql`
  INSERT INTO notifications (sending_id, organization_id, notification_id, type, transaction_id,
    client_transaction_id, body, due_at, variant, in_inbox)
  VALUES (${sending.sendingId}, ${organizationId}, ${sending.notificationId}, ${sending.type}, ${sending.transactionId},
    ${sending.clientTransactionId}, ${sending.body}, ${sending.dueAt}, ${JSON.stringify(sending.variant)}, ${inInbox})`)

/** What merchants are told, row by row as it goes out. */
export const notificationsPort = (db: Db): Port => ({
  inbox: async (organizationId, { order, type, transactionId, clientTransactionId, after, now, limit }) => {
    const way = order === 'newest' ? sql`DESC` : sql`ASC`
    const behind = sql`(due_at, position) > (SELECT due_at, position FROM notifications
      WHERE sending_id = ${after} AND organization_id = ${organizationId})`
    const rows = await db.rows<SendingRow>(sql`
      SELECT * FROM notifications
      WHERE ${allOf(
        sql`organization_id = ${organizationId} AND due_at <= ${now} AND in_inbox = 1`,
        transactionId !== undefined && sql`transaction_id = ${transactionId}`,
        type !== undefined && sql`type = ${type}`,
        clientTransactionId !== undefined && sql`client_transaction_id = ${clientTransactionId}`,
        after !== undefined && behind,
      )}
      ORDER BY due_at ${way}, position ${way} LIMIT ${limit}`)
    return rows.map(sendingOf)
  },
  clearInbox: async (organizationId, now) =>
    await db.run(sql`
        UPDATE notifications SET in_inbox = 0
        WHERE organization_id = ${organizationId} AND due_at <= ${now} AND in_inbox = 1`),
  sendings: async (organizationId, from, to) =>
    (
      await db.rows<SendingRow>(sql`
        SELECT * FROM notifications
        WHERE organization_id = ${organizationId} AND due_at >= ${from} AND due_at <= ${to} AND type <> ${PING}
        ORDER BY due_at, position`)
    ).map(sendingOf),
  addSending: async (organizationId, sending) => void (await addSending(db, organizationId, sending, 0)),
})
