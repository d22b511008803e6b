import type { Database } from 'better-sqlite3'
import type { Endpoint, Listeners, Told } from '../../webhooks/notification.ts'
import { type EndpointRow, endpointOf, type PlanRow, planOf } from '../webhook-rows.ts'
import type { WebhookStore } from '../webhooks-port.ts'
import { openDeliveries } from './deliveries.ts'
import { openNotifications } from './notifications.ts'

type Port = Pick<
  WebhookStore,
  'addEndpoint' | 'endpoints' | 'changeEndpoint' | 'removeEndpoint' | 'saveTry' | 'addPlan' | 'plans' | 'clearPlans'
>

/** The part of the store that keeps who is to be told, how, and what they were told. */
export const openWebhooks = (database: Database) => {
  const sql = prepareStatements(database)
  const notifications = openNotifications(database)
  const deliveries = openDeliveries(database)

  const endpoints = (organizationId: string) => sql.endpoints.all(organizationId).map(endpointOf)
  const plans = (organizationId: string) => sql.plans.all(organizationId).map(planOf)

  const change = database.transaction(
    (organizationId: string, endpointId: string, changed: (endpoint: Endpoint) => Endpoint) => {
      const row = sql.endpoint.get(endpointId, organizationId)
      if (!row) return undefined
      const after = changed(endpointOf(row))
      sql.saveEndpoint.run(JSON.stringify(after), endpointId)
      if (after.disabled) deliveries.dropWaiting(organizationId, endpointId)
      return after
    },
  )
  const remove = database.transaction((organizationId: string, endpointId: string): boolean => {
    deliveries.dropWaiting(organizationId, endpointId)
    return sql.removeEndpoint.run(endpointId, organizationId).changes === 1
  })

  const port: Port = {
    addEndpoint: async (organizationId, endpoint) =>
      void sql.addEndpoint.run(endpoint.endpointId, organizationId, JSON.stringify(endpoint)),
    endpoints: async organizationId => endpoints(organizationId),
    changeEndpoint: async (...wanted) => change.immediate(...wanted),
    removeEndpoint: async (...wanted) => remove.immediate(...wanted),
    saveTry: async (organizationId, { delivery, attempt, disabled }) =>
      database.transaction(() => {
        if (!deliveries.saveTry(organizationId, delivery, attempt)) return
        if (disabled) change(organizationId, delivery.endpointId, endpoint => ({ ...endpoint, disabled }))
      })(),
    addPlan: async (organizationId, { left, ...plan }) =>
      void sql.addPlan.run(plan.planId, organizationId, left, JSON.stringify(plan)),
    plans: async organizationId => plans(organizationId),
    clearPlans: async organizationId => sql.clearPlans.run(organizationId).changes,
  }

  return {
    /** Of what is said to be there. */
    listeners: (organizationId: string, there: { endpoints?: number; plans?: number }): Listeners => ({
      endpoints: there.endpoints ? endpoints(organizationId) : [],
      plans: there.plans ? plans(organizationId) : [],
    }),
    /** Inside the transaction that changes what is told of. */
    tell: (organizationId: string, told: Told): void => {
      for (const sending of told.sendings) notifications.add(organizationId, sending)
      for (const delivery of told.deliveries) deliveries.add(organizationId, delivery)
      for (const { planId, times } of told.spentPlans) sql.spendPlan.run(times, planId)
      if (told.spentPlans.length > 0) sql.dropSpentPlans.run(organizationId)
    },
    port: { ...port, ...notifications.port, ...deliveries.port } satisfies WebhookStore,
  }
}

const prepareStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Row>(text: string) => database.prepare<Parameters, Row>(text)
  const run = <Parameters extends unknown[]>(text: string) => database.prepare<Parameters>(text)
  return {
    addEndpoint: run<[string, string, string]>(
      'INSERT INTO endpoints (endpoint_id, organization_id, record) VALUES (?, ?, ?)',
    ),
    endpoints: query<[string], EndpointRow>(
      'SELECT record FROM endpoints WHERE organization_id = (SELECT ?) ORDER BY position',
    ),
    endpoint: query<[string, string], EndpointRow>(
      'SELECT record FROM endpoints WHERE endpoint_id = ? AND organization_id = ?',
    ),
    saveEndpoint: run<[string, string]>('UPDATE endpoints SET record = ? WHERE endpoint_id = ?'),
    removeEndpoint: run<[string, string]>('DELETE FROM endpoints WHERE endpoint_id = ? AND organization_id = ?'),

    addPlan: run<[string, string, number, string]>(
      'INSERT INTO delivery_plans (plan_id, organization_id, remaining, record) VALUES (?, ?, ?, ?)',
    ),
    plans: query<[string], PlanRow>(
      'SELECT record, remaining FROM delivery_plans WHERE organization_id = (SELECT ?) ORDER BY position',
    ),
    spendPlan: run<[number, string]>('UPDATE delivery_plans SET remaining = remaining - ? WHERE plan_id = ?'),
    dropSpentPlans: run<[string]>('DELETE FROM delivery_plans WHERE organization_id = ? AND remaining <= 0'),
    clearPlans: run<[string]>('DELETE FROM delivery_plans WHERE organization_id = ?'),
  }
}
