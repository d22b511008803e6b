import sql, { type Sql } from 'sql-template-tag'
import { deliveryRow, INSERT_TARGETS, messageRow } from '../inserted-rows.ts'
import { createSqlTags, type Db } from '../sql-statements.ts'
import type { OutboxEntries, Subscriptions } from '../unit-of-work.ts'
import { createMessageAndPlanStore } from '../webhook-messages-and-plans.ts'
import { type EndpointRow, toDeliveryPlan, toEndpoint } from '../webhook-row-mapping.ts'
import type { DeliveryPlan, Endpoint, WebhookStore } from '../webhook-store.ts'
import { insertRows, type OfOrganization } from './insert-rows.ts'
import { type Pool, runAll } from './pool.ts'
import { type RowLock, WITHOUT_LOCK } from './query-fragments.ts'
import type { ReplicaCoordination } from './replica-coordination.ts'
import { createDeliveryStore, dropPendingDeliveries, saveAttempt } from './webhook-deliveries.ts'

const endpoints = (db: Db, organizationId: string): Promise<Endpoint[]> =>
  createSqlTags(db).list(toEndpoint)`
      SELECT record FROM webhook_endpoints WHERE organization_id = ${organizationId} ORDER BY position`

const plans = (db: Db, organizationId: string, lock: RowLock): Promise<DeliveryPlan[]> =>
  createSqlTags(db).list(toDeliveryPlan)`
      SELECT record, remaining_uses FROM delivery_plans WHERE organization_id = ${organizationId}
      ORDER BY position ${lock}`

/**
 * Loads from PostgreSQL the endpoints and delivery plans that apply to notifications of a change; plans may be locked,
 * so that concurrent units of work do not use one too often.
 */
export const loadSubscriptions = async (db: Db, organizationId: string, lock: RowLock): Promise<Subscriptions> => {
  const [registered, planned] = await Promise.all([endpoints(db, organizationId), plans(db, organizationId, lock)])
  return { endpoints: registered, plans: planned }
}

/**
 * Returns the statements that insert webhook messages and deliveries into PostgreSQL and use up delivery plans, in the
 * transaction of their change.
 */
export const insertOutboxEntries = (saved: readonly OfOrganization<{ outbox: OutboxEntries }>[]): Sql[] => [
  ...insertRows(
    INSERT_TARGETS.messages,
    saved.flatMap(({ organizationId: id, outbox }) => outbox.messages.map(message => messageRow(id, message))),
  ),
  ...insertRows(
    INSERT_TARGETS.deliveries,
    saved.flatMap(({ organizationId: id, outbox }) => outbox.deliveries.map(delivery => deliveryRow(id, delivery))),
  ),
  ...saved
    .flatMap(({ outbox }) => outbox.spentPlans)
    .flatMap(({ planId, times }) => [
      sql`
        UPDATE delivery_plans SET remaining_uses = remaining_uses - ${times}
        WHERE plan_id = ${planId} AND remaining_uses > ${times}`,
      sql`DELETE FROM delivery_plans WHERE plan_id = ${planId} AND remaining_uses <= ${times}`,
    ]),
]

const changeEndpoint = async (
  db: Db,
  organizationId: string,
  endpointId: string,
  change: (endpoint: Endpoint) => Endpoint,
): Promise<Endpoint | undefined> => {
  const [row] = await db.rows<EndpointRow>(sql`
    SELECT record FROM webhook_endpoints WHERE endpoint_id = ${endpointId} AND organization_id = ${organizationId} FOR UPDATE`)
  if (!row) return undefined
  const after = change(toEndpoint(row))
  await db.run(sql`UPDATE webhook_endpoints SET record = ${JSON.stringify(after)} WHERE endpoint_id = ${endpointId}`)
  if (after.disabled) await dropPendingDeliveries(db, organizationId, endpointId)
  return after
}

/** Creates the PostgreSQL store of webhook endpoints, delivery plans, messages and deliveries. */
export const createWebhookStore = (
  pool: Pool,
  { self, announce }: Pick<ReplicaCoordination, 'self' | 'announce'>,
): WebhookStore => ({
  ...createMessageAndPlanStore(pool),
  addMessage: async (organizationId, message) =>
    void (await runAll(pool, insertRows(INSERT_TARGETS.messages, [messageRow(organizationId, message, 0)]))),
  ...createDeliveryStore(pool, self),
  endpoints: organizationId => endpoints(pool, organizationId),
  changeEndpoint: (...wanted) => pool.begin(db => changeEndpoint(db, ...wanted)),
  removeEndpoint: (organizationId, endpointId) =>
    pool.begin(async db => {
      await dropPendingDeliveries(db, organizationId, endpointId)
      const gone = await db.run(sql`
        DELETE FROM webhook_endpoints WHERE endpoint_id = ${endpointId} AND organization_id = ${organizationId}`)
      return gone === 1
    }),
  saveAttempt: async (organizationId, { delivery, attempt, changed }) => {
    const saved = await pool.begin(async db => {
      const isSaved = await saveAttempt(db, organizationId, delivery, attempt, self)
      if (isSaved === true && changed) await changeEndpoint(db, organizationId, delivery.endpointId, changed)
      return isSaved
    })
    if (saved === 'busy') return saved
    announce({ kind: 'messages', organizationId }) // another replica may wait for the endpoint to be free
    return undefined
  },
  plans: organizationId => plans(pool, organizationId, WITHOUT_LOCK),
})
