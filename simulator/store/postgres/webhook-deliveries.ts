import sql from 'sql-template-tag'
import { deliveryRow, INSERT_TARGETS } from '../inserted-rows.ts'
import { allOf, createSqlTags, type Db } from '../sql-statements.ts'
import {
  type DeliveryRow,
  EXTRA_ATTEMPT,
  KEPT_ATTEMPTS,
  type MessageRow,
  toDelivery,
  toMessage,
} from '../webhook-row-mapping.ts'
import type { Delivery, DeliveryAttempt, DeliveryCount, DeliveryWithAttempts, WebhookStore } from '../webhook-store.ts'
import { insertRows } from './insert-rows.ts'
import { lockUntilCommit, triesToShareOrganization } from './locks.ts'
import { type Pool, runAll } from './pool.ts'
import { isAboutPayment } from './query-fragments.ts'

type DeliveryMethods = Pick<
  WebhookStore,
  'addDeliveries' | 'dueDelivery' | 'dueDeliveryTo' | 'delivery' | 'deliveries' | 'countDeliveries'
>

/** Drops the pending deliveries to a webhook endpoint in PostgreSQL. */
export const dropPendingDeliveries = (db: Db, organizationId: string, endpointId: string) =>
  db.run(sql`
  UPDATE deliveries SET due_at = NULL, state = 'dropped'
  WHERE endpoint_id = ${endpointId} AND organization_id = ${organizationId} AND due_at IS NOT NULL`)

/**
 * Saves an attempt of a webhook delivery in PostgreSQL; false if a reset deleted the delivery. A dropped delivery stays
 * dropped, one that was resent meanwhile stays due, and the claim of another replica than `self` stays. `busy` at once
 * while a replica reads or replaces the organization's state, as one that waits has a connection.
 */
export const saveAttempt = async (
  db: Db,
  organizationId: string,
  { deliveryId, dueAt, attemptCount, state, resentAt }: Delivery,
  attempt: DeliveryAttempt,
  self: string,
): Promise<boolean | 'busy'> => {
  const [done] = await db.rows<{ isFree: boolean; count: number }>(sql`
    WITH organization AS MATERIALIZED (SELECT ${triesToShareOrganization(organizationId)} AS is_free),
    saved AS (UPDATE deliveries SET
      due_at = CASE WHEN due_at IS NULL THEN NULL WHEN resent_at IS DISTINCT FROM ${resentAt ?? null}::bigint THEN due_at ELSE ${dueAt ?? null}::bigint END,
      attempt_count = ${attemptCount}, claimed_by = NULLIF(claimed_by, ${self}),
      state = CASE WHEN due_at IS NULL AND ${state}::text <> 'delivered' THEN state
        WHEN due_at IS NOT NULL AND resent_at IS DISTINCT FROM ${resentAt ?? null}::bigint THEN state ELSE ${state}::text END
    WHERE delivery_id = ${deliveryId} AND organization_id = ${organizationId} AND (SELECT is_free FROM organization)
    RETURNING 1)
    SELECT is_free AS "isFree", (SELECT COUNT(*) FROM saved) AS count FROM organization`)
  if (!done?.isFree) return 'busy'
  if (done.count === 0) return false
  await db.run(sql`
    WITH added AS (
      INSERT INTO delivery_attempts (organization_id, delivery_id, record)
      VALUES (${organizationId}, ${deliveryId}, ${JSON.stringify(attempt)}))
    DELETE FROM delivery_attempts WHERE delivery_id = ${deliveryId}
      AND position <= (SELECT position FROM delivery_attempts WHERE delivery_id = ${deliveryId}
        ORDER BY position DESC LIMIT 1 OFFSET ${KEPT_ATTEMPTS.newest})
      AND position NOT IN (SELECT position FROM delivery_attempts
        WHERE delivery_id = ${deliveryId} AND record NOT LIKE ${EXTRA_ATTEMPT}
        ORDER BY position DESC LIMIT ${KEPT_ATTEMPTS.automatic})`)
  return true
}

/**
 * Claims the next delivery to an endpoint for this replica; `claimed` while another replica calls the endpoint, or
 * replaces the organization's state. A claim ends with the attempt, with the next claim of its replica, or with the
 * listening connection of its replica.
 */
const claim = (
  pool: Pool,
  self: string,
  { organizationId, endpointId, upTo }: { organizationId: string; endpointId: string; upTo: number },
) =>
  pool.begin(async db => {
    const isFree = triesToShareOrganization(organizationId)
    const [, , rows, others] = await Promise.all([
      lockUntilCommit(db, `endpoint ${endpointId}`),
      db.run(sql`
        UPDATE deliveries SET claimed_by = NULL WHERE ${isFree} AND endpoint_id = ${endpointId} AND claimed_by IS NOT NULL
          AND (claimed_by = ${self}
            OR NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = claimed_by))`),
      db.rows<DeliveryRow>(sql`
        UPDATE deliveries SET claimed_by = ${self} WHERE ${isFree} AND position = (
          SELECT position FROM deliveries
          WHERE endpoint_id = ${endpointId} AND due_at <= ${upTo} AND organization_id = ${organizationId}
            AND NOT EXISTS (SELECT 1 FROM deliveries AS other
              WHERE other.endpoint_id = ${endpointId} AND other.claimed_by <> ${self})
          ORDER BY due_at, position LIMIT 1)
        RETURNING *`),
      db.run(sql`
        SELECT 1 WHERE NOT ${isFree} OR EXISTS (
          SELECT 1 FROM deliveries WHERE endpoint_id = ${endpointId} AND due_at <= ${upTo} AND claimed_by <> ${self})`),
    ])
    return rows[0] ?? (others > 0 ? 'claimed' : undefined)
  })

/** Releases this replica's claims on webhook deliveries in PostgreSQL, so that other replicas may attempt them. */
export const releaseClaims = (pool: Pool, self: string) =>
  pool.run(sql`UPDATE deliveries SET claimed_by = NULL WHERE claimed_by = ${self}`)

type AttemptRow = { delivery_id: string; record: string }

/** Creates the PostgreSQL store of webhook deliveries with their attempts. */
export const createDeliveryStore = (pool: Pool, self: string): DeliveryMethods => {
  /** Two statements for any number of rows, so that a long list leaves connections to payment calls. */
  const withAttempts = async (rows: readonly DeliveryRow[]): Promise<DeliveryWithAttempts[]> => {
    const [messages, attempts] = await Promise.all([
      pool.rows<MessageRow>(sql`
        SELECT * FROM messages WHERE message_id = ANY (${rows.map(row => row.message_id)}::text[])`),
      pool.rows<AttemptRow>(sql`
        SELECT delivery_id, record FROM delivery_attempts
        WHERE delivery_id = ANY (${rows.map(row => row.delivery_id)}::text[]) ORDER BY position`),
    ])
    const messagesById = new Map(messages.map(row => [row.message_id, toMessage(row)]))
    const attemptsByDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id)
    return rows.flatMap(row => {
      const message = messagesById.get(row.message_id)
      const made = (attemptsByDelivery.get(row.delivery_id) ?? []).map(
        ({ record }) => JSON.parse(record) as DeliveryAttempt,
      )
      return message ? [{ ...toDelivery(row), message, attempts: made }] : []
    })
  }
  return {
    addDeliveries: async (organizationId, deliveries) =>
      void (await runAll(
        pool,
        insertRows(
          INSERT_TARGETS.deliveries,
          deliveries.map(delivery => deliveryRow(organizationId, delivery)),
        ),
      )),
    dueDelivery: (organizationId, upTo, but) => createSqlTags(pool).find(toDelivery)`
        SELECT * FROM deliveries WHERE organization_id = ${organizationId} AND due_at <= ${upTo}
          AND endpoint_id <> ALL (${but as string[]}::text[])
        ORDER BY due_at, position LIMIT 1`,
    dueDeliveryTo: async (organizationId, endpointId, upTo) => {
      const row = await claim(pool, self, { organizationId, endpointId, upTo })
      return row === 'claimed' ? row : row && toDelivery(row)
    },
    delivery: async (organizationId, deliveryId) => {
      const [row] = await pool.rows<DeliveryRow>(sql`
        SELECT * FROM deliveries WHERE delivery_id = ${deliveryId} AND organization_id = ${organizationId}`)
      return row && (await withAttempts([row]))[0]
    },
    deliveries: async (organizationId, { endpointId, transactionId, state, isTried, before, limit }) => {
      const rows = await pool.rows<DeliveryRow>(sql`
        SELECT deliveries.* FROM deliveries JOIN messages USING (message_id)
        WHERE ${allOf(
          sql`deliveries.organization_id = ${organizationId}`,
          endpointId !== undefined && sql`endpoint_id = ${endpointId}`,
          transactionId !== undefined && isAboutPayment(organizationId, transactionId),
          state !== undefined && sql`state = ${state}`,
          isTried !== undefined && (isTried ? sql`attempt_count > 0` : sql`attempt_count = 0`),
          before !== undefined &&
            sql`deliveries.position < (SELECT position FROM deliveries
              WHERE delivery_id = ${before} AND organization_id = ${organizationId})`,
        )}
        ORDER BY deliveries.position DESC LIMIT ${limit}`)
      return withAttempts(rows)
    },
    countDeliveries: organizationId =>
      pool.rows<DeliveryCount>(sql`
        SELECT endpoint_id AS "endpointId", state, attempt_count > 0 AS "isTried", COUNT(*)::integer AS count
        FROM deliveries WHERE organization_id = ${organizationId} GROUP BY endpoint_id, state, attempt_count > 0`),
  }
}
