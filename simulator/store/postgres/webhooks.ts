import sql from 'sql-template-tag'
import type { ArmedPlan, Endpoint, Listeners, Told } from '../../webhooks/notification.ts'
import { type EndpointRow, endpointOf, type PlanRow, planOf } from '../webhook-rows.ts'
import type { WebhookStore } from '../webhooks-port.ts'
import { addDeliveries, deliveriesPort, dropWaiting, saveTry } from './deliveries.ts'
import { addSending, notificationsPort } from './notifications.ts'
import type { Db, Pool } from './open.ts'
import type { Replicas } from './replicas.ts'

const endpoints = async (db: Db, organizationId: string): Promise<Endpoint[]> =>
  (
    await db.rows<EndpointRow>(sql`
      SELECT record FROM endpoints WHERE organization_id = ${organizationId} ORDER BY position`)
  ).map(endpointOf)

/** Locked: a plan makes only so many notifications go out otherwise as it was armed for. */
const lockedPlans = async (db: Db, organizationId: string): Promise<ArmedPlan[]> =>
  (
    await db.rows<PlanRow>(sql`
      SELECT record, remaining FROM delivery_plans WHERE organization_id = ${organizationId}
      ORDER BY position FOR UPDATE`)
  ).map(planOf)

/** Who is to be told of what changes, and how. */
export const listenersOf = async (db: Db, organizationId: string): Promise<Listeners> => {
  const [registered, plans] = await Promise.all([endpoints(db, organizationId), lockedPlans(db, organizationId)])
  return { endpoints: registered, plans }
}

/** Inside the transaction that changes what is told of. */
export const tell = (db: Db, organizationId: string, told: Told): Promise<unknown>[] => [
  ...told.sendings.map(sending => addSending(db, organizationId, sending)),
  ...addDeliveries(db, organizationId, told.deliveries),
  ...told.spentPlans.map(({ planId, times }) =>
    db.run(sql`UPDATE delivery_plans SET remaining = remaining - ${times} WHERE plan_id = ${planId}`),
  ),
  ...(told.spentPlans.length > 0
    ? [db.run(sql`DELETE FROM delivery_plans WHERE organization_id = ${organizationId} AND remaining <= 0`)]
    : []),
]

const changeEndpoint = async (
  db: Db,
  organizationId: string,
  endpointId: string,
  change: (endpoint: Endpoint) => Endpoint,
): Promise<Endpoint | undefined> => {
  const [row] = await db.rows<EndpointRow>(sql`
    SELECT record FROM endpoints WHERE endpoint_id = ${endpointId} AND organization_id = ${organizationId} FOR UPDATE`)
  if (!row) return undefined
  const after = change(endpointOf(row))
  await db.run(sql`UPDATE endpoints SET record = ${JSON.stringify(after)} WHERE endpoint_id = ${endpointId}`)
  if (after.disabled) await dropWaiting(db, organizationId, endpointId)
  return after
}

/** Who is to be told, how, and what they were told. */
export const webhooksPort = (pool: Pool, { self, telling }: Pick<Replicas, 'self' | 'telling'>): WebhookStore => ({
  ...notificationsPort(pool),
  ...deliveriesPort(pool, self),
  addEndpoint: async (organizationId, endpoint) =>
    void (await pool.run(sql`
      INSERT INTO endpoints (endpoint_id, organization_id, record)
      VALUES (${endpoint.endpointId}, ${organizationId}, ${JSON.stringify(endpoint)})`)),
  endpoints: organizationId => endpoints(pool, organizationId),
  changeEndpoint: (...wanted) => pool.begin(db => changeEndpoint(db, ...wanted)),
  removeEndpoint: (organizationId, endpointId) =>
    pool.begin(async db => {
      await dropWaiting(db, organizationId, endpointId)
      const gone = await db.run(sql`
        DELETE FROM endpoints WHERE endpoint_id = ${endpointId} AND organization_id = ${organizationId}`)
      return gone === 1
    }),
  saveTry: async (organizationId, { delivery, attempt, disabled }) =>
    void (await pool.begin(async db => {
      if (!(await saveTry(db, organizationId, delivery, attempt))) return
      await telling(db, { kind: 'told', organizationId }) // another replica may wait to go on
      if (disabled)
        await changeEndpoint(db, organizationId, delivery.endpointId, endpoint => ({ ...endpoint, disabled }))
    })),
  addPlan: async (organizationId, { left, ...plan }) =>
    void (await pool.run(sql`
      INSERT INTO delivery_plans (plan_id, organization_id, remaining, record)
      VALUES (${plan.planId}, ${organizationId}, ${left}, ${JSON.stringify(plan)})`)),
  plans: async organizationId =>
    (
      await pool.rows<PlanRow>(sql`
        SELECT record, remaining FROM delivery_plans WHERE organization_id = ${organizationId} ORDER BY position`)
    ).map(planOf),
  clearPlans: async organizationId =>
    await pool.run(sql`DELETE FROM delivery_plans WHERE organization_id = ${organizationId}`),
})
