import type { Database } from 'better-sqlite3'
import { deliveryRow, INSERT_TARGETS } from '../inserted-rows.ts'
import {
  type DeliveryRow,
  EXTRA_ATTEMPT,
  KEPT_ATTEMPTS,
  type MessageRow,
  toDelivery,
  toMessage,
} from '../webhook-row-mapping.ts'
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryCount,
  DeliveryQuery,
  DeliveryWithAttempts,
  WebhookStore,
} from '../webhook-store.ts'
import { prepareInsertion } from './prepare-insertion.ts'
import { allOf, deliveriesWithMessages, IS_ABOUT_ANY_PAYMENT } from './query-fragments.ts'
import { createStatementCache } from './statement-cache.ts'

type DeliveryMethods = Pick<
  WebhookStore,
  'addDeliveries' | 'dueDelivery' | 'dueDeliveryTo' | 'delivery' | 'deliveries' | 'countDeliveries'
>

/** Opens the SQLite store of webhook deliveries with their attempts. */
export const openDeliveries = (database: Database) => {
  const sql = prepareStatements(database)

  const insert = prepareInsertion(database, INSERT_TARGETS.deliveries)
  const add = (organizationId: string, delivery: Delivery): void => insert(deliveryRow(organizationId, delivery))
  const withAttempts = (row: DeliveryRow): DeliveryWithAttempts[] => {
    const message = sql.message.get(row.message_id)
    if (!message) return []
    const attempts = sql.attempts.all(row.delivery_id).map(({ record }) => JSON.parse(record) as DeliveryAttempt)
    return [{ ...toDelivery(row), message: toMessage(message), attempts }]
  }

  const port: DeliveryMethods = {
    addDeliveries: async (organizationId, deliveries) =>
      database.transaction(() => {
        for (const delivery of deliveries) add(organizationId, delivery)
      })(),
    dueDelivery: async (organizationId, upTo, but) => {
      const row = sql.due.get(organizationId, upTo, JSON.stringify(but))
      return row && toDelivery(row)
    },
    dueDeliveryTo: async (organizationId, endpointId, upTo) => {
      const row = sql.dueTo.get(endpointId, upTo, organizationId)
      return row && toDelivery(row)
    },
    delivery: async (organizationId, deliveryId) => {
      const row = sql.one.get(deliveryId, organizationId)
      return row && withAttempts(row)[0]
    },
    deliveries: async (organizationId, query) =>
      sql
        .list(listQuery(query))
        .all({
          organizationId,
          ...query,
          transactionId: JSON.stringify([query.transactionId ?? []].flat()),
          isTried: undefined,
        })
        .flatMap(withAttempts),
    countDeliveries: async organizationId =>
      sql.count.all(organizationId).map(({ isTried, ...one }) => ({ ...one, isTried: isTried === 1 })),
  }

  return {
    add,
    dropWaiting: (organizationId: string, endpointId: string): void =>
      void sql.dropWaiting.run(endpointId, organizationId),
    /**
     * Saves an attempt and its delivery; false if a reset has deleted it. A dropped delivery stays dropped, and one that
     * was resent meanwhile stays due.
     */
    saveTry: (organizationId: string, delivery: Delivery, attempt: DeliveryAttempt): boolean => {
      const { dueAt = null, resentAt = null, ...tried } = delivery
      if (sql.saveTry.run({ ...tried, dueAt, resentAt, organizationId }).changes === 0) return false
      sql.dropAttempts.run({ deliveryId: delivery.deliveryId })
      sql.addAttempt.run(organizationId, delivery.deliveryId, JSON.stringify(attempt))
      return true
    },
    port,
  }
}

type ListParameters = Omit<DeliveryQuery, 'transactionId'> & { organizationId: string; transactionId: string }

const listQuery = ({ endpointId, transactionId, state, isTried, before }: DeliveryQuery): string => `
  SELECT deliveries.* FROM ${deliveriesWithMessages(transactionId)}
  WHERE ${allOf(
    'deliveries.organization_id = @organizationId',
    endpointId !== undefined && 'endpoint_id = @endpointId',
    transactionId !== undefined && IS_ABOUT_ANY_PAYMENT,
    state !== undefined && 'state = @state',
    isTried !== undefined && `attempt_count ${isTried ? '> 0' : '= 0'}`,
    before !== undefined &&
      `deliveries.position < (SELECT position FROM deliveries
        WHERE delivery_id = @before AND organization_id = @organizationId)`,
  )}
  ORDER BY deliveries.position DESC LIMIT @limit`

type TryParameters = Omit<Delivery, 'dueAt' | 'resentAt'> & {
  dueAt: number | null
  resentAt: number | null
  organizationId: string
}

const prepareStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Result>(text: string) => database.prepare<Parameters, Result>(text)
  const run = <Parameters extends unknown[]>(text: string) => database.prepare<Parameters>(text)
  return {
    count: query<[string], Omit<DeliveryCount, 'isTried'> & { isTried: number }>(`
      SELECT endpoint_id AS endpointId, state, MIN(attempt_count, 1) AS isTried, SUM(count) AS count FROM (
        SELECT endpoint_id, state, attempt_count, COUNT(*) AS count FROM deliveries
        WHERE organization_id = ? GROUP BY endpoint_id, state, attempt_count)
      GROUP BY endpoint_id, state, isTried`),
    due: query<[string, number, string], DeliveryRow>(`
      SELECT * FROM deliveries WHERE organization_id = ? AND due_at <= ?
        AND endpoint_id NOT IN (SELECT value FROM json_each(?))
      ORDER BY due_at, position LIMIT 1`),
    dueTo: query<[string, number, string], DeliveryRow>(`
      SELECT * FROM deliveries WHERE endpoint_id = ? AND due_at <= ? AND organization_id = ?
      ORDER BY due_at, position LIMIT 1`),
    one: query<[string, string], DeliveryRow>('SELECT * FROM deliveries WHERE delivery_id = ? AND organization_id = ?'),
    list: createStatementCache<[ListParameters], DeliveryRow>(database),
    message: query<[string], MessageRow>('SELECT * FROM messages WHERE message_id = ?'),
    dropWaiting: run<[string, string]>(`
      UPDATE deliveries SET due_at = NULL, state = 'dropped'
      WHERE endpoint_id = ? AND organization_id = ? AND due_at IS NOT NULL`),
    saveTry: run<[TryParameters]>(`
      UPDATE deliveries SET due_at = IIF(due_at IS NULL, NULL, IIF(resent_at IS NOT @resentAt, due_at, @dueAt)),
        attempt_count = @attemptCount,
        state = CASE WHEN due_at IS NULL AND @state <> 'delivered' THEN state
          WHEN due_at IS NOT NULL AND resent_at IS NOT @resentAt THEN state ELSE @state END
      WHERE delivery_id = @deliveryId AND organization_id = @organizationId`),
    attempts: query<[string], { record: string }>(
      'SELECT record FROM delivery_attempts WHERE delivery_id = ? ORDER BY position',
    ),
    dropAttempts: run<[{ deliveryId: string }]>(`
      DELETE FROM delivery_attempts WHERE delivery_id = @deliveryId
        AND position <= (SELECT position FROM delivery_attempts WHERE delivery_id = @deliveryId
          ORDER BY position DESC LIMIT 1 OFFSET ${KEPT_ATTEMPTS.newest})
        AND position NOT IN (SELECT position FROM delivery_attempts
          WHERE delivery_id = @deliveryId AND record NOT LIKE '${EXTRA_ATTEMPT}'
          ORDER BY position DESC LIMIT ${KEPT_ATTEMPTS.automatic})`),
    addAttempt: run<[string, string, string]>(
      'INSERT INTO delivery_attempts (organization_id, delivery_id, record) VALUES (?, ?, ?)',
    ),
  }
}
