import sql from 'sql-template-tag'
import type { Attempt, Delivery, DeliveryWithAttempts } from '../../webhooks/notification.ts'
import { type DeliveryRow, deliveryOf, type SendingRow, sendingOf } from '../webhook-rows.ts'
import type { WebhookStore } from '../webhooks-port.ts'
import { allOf, ofPayment } from './all-of.ts'
import type { Db, Pool } from './open.ts'

type Port = Pick<WebhookStore, 'addDeliveries' | 'dueDelivery' | 'dueDeliveryTo' | 'resend' | 'delivery' | 'deliveries'>

export const addDeliveries = (db: Db, organizationId: string, deliveries: readonly Delivery[]): Promise<unknown>[] =>
  deliveries.map(({ deliveryId, endpointId, sendingId, firstDueAt, dueAt = null, tries, state }) =>
    db.run(sql`
      INSERT INTO deliveries (delivery_id, organization_id, endpoint_id, sending_id, first_due_at, due_at, tries, state)
      VALUES (${deliveryId}, ${organizationId}, ${endpointId}, ${sendingId}, ${firstDueAt}, ${dueAt}, ${tries}, ${state})`),
  )

export const dropWaiting = (db: Db, organizationId: string, endpointId: string) =>
  db.run(sql`
  UPDATE deliveries SET due_at = NULL, state = 'dropped'
  WHERE endpoint_id = ${endpointId} AND organization_id = ${organizationId} AND due_at IS NOT NULL`)

/** Nothing of a delivery that a reset has taken away meanwhile; what was dropped meanwhile stays so. */
export const saveTry = async (
  db: Db,
  organizationId: string,
  { deliveryId, dueAt, tries, state }: Delivery,
  attempt: Attempt,
): Promise<boolean> => {
  const count = await db.run(sql`
    UPDATE deliveries SET due_at = CASE WHEN due_at IS NULL THEN NULL ELSE ${dueAt ?? null}::bigint END, tries = ${tries},
      claimed_by = NULL, state = CASE WHEN due_at IS NULL AND ${state}::text <> 'delivered' THEN state ELSE ${state}::text END
    WHERE delivery_id = ${deliveryId} AND organization_id = ${organizationId}`)
  if (count === 0) return false
  await db.run(sql`
    INSERT INTO attempts (organization_id, delivery_id, record)
    VALUES (${organizationId}, ${deliveryId}, ${JSON.stringify(attempt)})`)
  return true
}

/**
 * The next delivery to an endpoint, for this replica alone while it lives; `claimed` while another one calls it. A
 * claim ends with the try, with the next claim of its replica, or with the connection by which its replica listens.
 */
const claim = (
  pool: Pool,
  self: string,
  { organizationId, endpointId, upTo }: { organizationId: string; endpointId: string; upTo: number },
) =>
  pool.begin(async db => {
    const [, , rows, others] = await Promise.all([
      db.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`endpoint ${endpointId}`}, 0))`),
      db.run(sql`
        UPDATE deliveries SET claimed_by = NULL WHERE endpoint_id = ${endpointId} AND claimed_by IS NOT NULL
          AND (claimed_by = ${self}
            OR NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = claimed_by))`),
      db.rows<DeliveryRow>(sql`
        UPDATE deliveries SET claimed_by = ${self} WHERE position = (
          SELECT position FROM deliveries
          WHERE endpoint_id = ${endpointId} AND due_at <= ${upTo} AND organization_id = ${organizationId}
            AND NOT EXISTS (SELECT 1 FROM deliveries AS other
              WHERE other.endpoint_id = ${endpointId} AND other.claimed_by <> ${self})
          ORDER BY due_at, position LIMIT 1)
        RETURNING *`),
      db.run(sql`
        SELECT 1 FROM deliveries WHERE endpoint_id = ${endpointId} AND due_at <= ${upTo} AND claimed_by <> ${self} LIMIT 1`),
    ])
    return rows[0] ?? (others > 0 ? 'claimed' : undefined)
  })

/** What this replica was about to try is anybody's. */
export const releaseClaims = (pool: Pool, self: string) =>
  pool.run(sql`UPDATE deliveries SET claimed_by = NULL WHERE claimed_by = ${self}`)

type Tried = { delivery_id: string; record: string }

/** Sendings on their way, each to one endpoint, with the log of the tries. */
export const deliveriesPort = (pool: Pool, self: string): Port => {
  /** Two statements, however many there are: a long list leaves connections to who pays. */
  const withAttempts = async (rows: readonly DeliveryRow[]): Promise<DeliveryWithAttempts[]> => {
    const [sendings, attempts] = await Promise.all([
      pool.rows<SendingRow>(sql`
        SELECT * FROM notifications WHERE sending_id = ANY (${rows.map(row => row.sending_id)}::text[])`),
      pool.rows<Tried>(sql`
        SELECT delivery_id, record FROM attempts
        WHERE delivery_id = ANY (${rows.map(row => row.delivery_id)}::text[]) ORDER BY position`),
    ])
    const sendingOfRow = new Map(sendings.map(row => [row.sending_id, sendingOf(row)]))
    const triedOf = Map.groupBy(attempts, ({ delivery_id }) => delivery_id)
    return rows.flatMap(row => {
      const sending = sendingOfRow.get(row.sending_id)
      const tried = (triedOf.get(row.delivery_id) ?? []).map(({ record }) => JSON.parse(record) as Attempt)
      return sending ? [{ ...deliveryOf(row), sending, attempts: tried }] : []
    })
  }
  return {
    addDeliveries: async (organizationId, deliveries) =>
      void (await pool.begin(db => Promise.all(addDeliveries(db, organizationId, deliveries)))),
    dueDelivery: async (organizationId, upTo, but) => {
      const [row] = await pool.rows<DeliveryRow>(sql`
        SELECT * FROM deliveries WHERE organization_id = ${organizationId} AND due_at <= ${upTo}
          AND endpoint_id <> ALL (${but as string[]}::text[])
        ORDER BY due_at, position LIMIT 1`)
      return row && deliveryOf(row)
    },
    dueDeliveryTo: async (organizationId, endpointId, upTo) => {
      const row = await claim(pool, self, { organizationId, endpointId, upTo })
      return row === 'claimed' ? row : row && deliveryOf(row)
    },
    resend: async (organizationId, deliveryId, dueAt) => {
      const [row] = await pool.rows<DeliveryRow>(sql`
        UPDATE deliveries SET due_at = ${dueAt}, state = 'waiting'
        WHERE delivery_id = ${deliveryId} AND organization_id = ${organizationId} RETURNING *`)
      return row && deliveryOf(row)
    },
    delivery: async (organizationId, deliveryId) => {
      const [row] = await pool.rows<DeliveryRow>(sql`
        SELECT * FROM deliveries WHERE delivery_id = ${deliveryId} AND organization_id = ${organizationId}`)
      return row && (await withAttempts([row]))[0]
    },
    deliveries: async (organizationId, { endpointId, transactionId, state, limit }) => {
      const rows = await pool.rows<DeliveryRow>(sql`
        SELECT deliveries.* FROM deliveries JOIN notifications USING (sending_id)
        WHERE ${allOf(
          sql`deliveries.organization_id = ${organizationId}`,
          endpointId !== undefined && sql`endpoint_id = ${endpointId}`,
          transactionId !== undefined && ofPayment(organizationId, transactionId),
          state !== undefined && sql`state = ${state}`,
        )}
        ORDER BY deliveries.position DESC LIMIT ${limit}`)
      return withAttempts(rows)
    },
  }
}
