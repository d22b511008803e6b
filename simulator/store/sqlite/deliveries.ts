import type { Database } from 'better-sqlite3'
import type { Attempt, Delivery, DeliveryWithAttempts } from '../../webhooks/notification.ts'
import { type DeliveryRow, deliveryOf, type SendingRow, sendingOf } from '../webhook-rows.ts'
import type { DeliveryQuery, WebhookStore } from '../webhooks-port.ts'
import { allOf, OF_PAYMENT, preparedOnce, sentOf } from './all-of.ts'

type Port = Pick<WebhookStore, 'addDeliveries' | 'dueDelivery' | 'dueDeliveryTo' | 'resend' | 'delivery' | 'deliveries'>

/** Sendings on their way, each to one endpoint, with the log of the tries. */
export const openDeliveries = (database: Database) => {
  const sql = prepareStatements(database)

  const add = (organizationId: string, delivery: Delivery): void => {
    const { deliveryId, endpointId, sendingId, firstDueAt, dueAt = null, tries, state } = delivery
    sql.add.run(deliveryId, organizationId, endpointId, sendingId, firstDueAt, dueAt, tries, state)
  }
  const withAttempts = (row: DeliveryRow): DeliveryWithAttempts[] => {
    const sending = sql.sending.get(row.sending_id)
    if (!sending) return []
    const attempts = sql.attempts.all(row.delivery_id).map(({ record }) => JSON.parse(record) as Attempt)
    return [{ ...deliveryOf(row), sending: sendingOf(sending), attempts }]
  }

  const port: Port = {
    addDeliveries: async (organizationId, deliveries) =>
      database.transaction(() => {
        for (const delivery of deliveries) add(organizationId, delivery)
      })(),
    dueDelivery: async (organizationId, upTo, but) => {
      const row = sql.due.get(organizationId, upTo, JSON.stringify(but))
      return row && deliveryOf(row)
    },
    dueDeliveryTo: async (organizationId, endpointId, upTo) => {
      const row = sql.dueTo.get(endpointId, upTo, organizationId)
      return row && deliveryOf(row)
    },
    resend: async (organizationId, deliveryId, dueAt) => {
      const row = sql.resend.get(dueAt, deliveryId, organizationId)
      return row && deliveryOf(row)
    },
    delivery: async (organizationId, deliveryId) => {
      const row = sql.one.get(deliveryId, organizationId)
      return row && withAttempts(row)[0]
    },
    deliveries: async (organizationId, query) =>
      sql
        .list(listQuery(query))
        .all({ organizationId, ...query })
        .flatMap(withAttempts),
  }

  return {
    add,
    dropWaiting: (organizationId: string, endpointId: string): void =>
      void sql.dropWaiting.run(endpointId, organizationId),
    /** Nothing of a delivery that a reset has taken away meanwhile; what was dropped meanwhile stays so. */
    saveTry: (organizationId: string, delivery: Delivery, attempt: Attempt): boolean => {
      const { deliveryId, dueAt = null, tries, state } = delivery
      if (sql.saveTry.run(dueAt, tries, state, state, deliveryId, organizationId).changes === 0) return false
      sql.addAttempt.run(organizationId, deliveryId, JSON.stringify(attempt))
      return true
    },
    port,
  }
}

type Listed = DeliveryQuery & { organizationId: string }

const listQuery = ({ endpointId, transactionId, state }: DeliveryQuery): string => `
  SELECT deliveries.* FROM ${sentOf(transactionId)}
  WHERE ${allOf(
    'deliveries.organization_id = @organizationId',
    endpointId !== undefined && 'endpoint_id = @endpointId',
    transactionId !== undefined && OF_PAYMENT,
    state !== undefined && 'state = @state',
  )}
  ORDER BY deliveries.position DESC LIMIT @limit`

const prepareStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Result>(text: string) => database.prepare<Parameters, Result>(text)
  const run = <Parameters extends unknown[]>(text: string) => database.prepare<Parameters>(text)
  return {
    add: run<[string, string, string, string, number, number | null, number, string]>(`
      INSERT INTO deliveries (delivery_id, organization_id, endpoint_id, sending_id, first_due_at, due_at, tries, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    due: query<[string, number, string], DeliveryRow>(`
      SELECT * FROM deliveries WHERE organization_id = ? AND due_at <= ?
        AND endpoint_id NOT IN (SELECT value FROM json_each(?))
      ORDER BY due_at, position LIMIT 1`),
    dueTo: query<[string, number, string], DeliveryRow>(`
      SELECT * FROM deliveries WHERE endpoint_id = ? AND due_at <= ? AND organization_id = ?
      ORDER BY due_at, position LIMIT 1`),
    resend: query<[number, string, string], DeliveryRow>(`
      UPDATE deliveries SET due_at = ?, state = 'waiting' WHERE delivery_id = ? AND organization_id = ? RETURNING *`),
    one: query<[string, string], DeliveryRow>('SELECT * FROM deliveries WHERE delivery_id = ? AND organization_id = ?'),
    list: preparedOnce<[Listed], DeliveryRow>(database),
    sending: query<[string], SendingRow>('SELECT * FROM notifications WHERE sending_id = ?'),
    dropWaiting: run<[string, string]>(`
      UPDATE deliveries SET due_at = NULL, state = 'dropped'
      WHERE endpoint_id = ? AND organization_id = ? AND due_at IS NOT NULL`),
    saveTry: run<[number | null, number, string, string, string, string]>(`
      UPDATE deliveries SET due_at = IIF(due_at IS NULL, NULL, ?), tries = ?,
        state = IIF(due_at IS NULL AND ? <> 'delivered', state, ?)
      WHERE delivery_id = ? AND organization_id = ?`),
    attempts: query<[string], { record: string }>(
      'SELECT record FROM attempts WHERE delivery_id = ? ORDER BY position',
    ),
    addAttempt: run<[string, string, string]>(
      'INSERT INTO attempts (organization_id, delivery_id, record) VALUES (?, ?, ?)',
    ),
  }
}
