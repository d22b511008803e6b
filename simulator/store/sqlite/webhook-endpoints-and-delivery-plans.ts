import type { Database } from 'better-sqlite3'
import { INSERT_TARGETS, messageRow } from '../inserted-rows.ts'
import type { OutboxEntries, Subscriptions } from '../unit-of-work.ts'
import { createMessageAndPlanStore } from '../webhook-messages-and-plans.ts'
import { type EndpointRow, type PlanRow, toDeliveryPlan, toEndpoint } from '../webhook-row-mapping.ts'
import type { Endpoint, WebhookStore } from '../webhook-store.ts'
import { prepareInsertion } from './prepare-insertion.ts'
import { PLANNED_ONCE } from './query-fragments.ts'
import { createDb } from './statement-cache.ts'
import { openDeliveries } from './webhook-deliveries.ts'

type EndpointMethods = Pick<
  WebhookStore,
  'endpoints' | 'changeEndpoint' | 'removeEndpoint' | 'saveAttempt' | 'plans' | 'addMessage'
>

/** Opens the SQLite store of webhook endpoints, delivery plans, messages and deliveries. */
export const openWebhookStore = (database: Database) => {
  const sql = prepareStatements(database)
  const addMessage = prepareInsertion(database, INSERT_TARGETS.messages)
  const deliveries = openDeliveries(database)

  const endpoints = (organizationId: string) => sql.endpoints.all(organizationId).map(toEndpoint)
  const plans = (organizationId: string) => sql.plans.all(organizationId).map(toDeliveryPlan)

  const change = database.transaction(
    (organizationId: string, endpointId: string, changed: (endpoint: Endpoint) => Endpoint) => {
      const row = sql.endpoint.get(endpointId, organizationId)
      if (!row) return undefined
      const after = changed(toEndpoint(row))
      sql.saveEndpoint.run(JSON.stringify(after), endpointId)
      if (after.disabled) deliveries.dropWaiting(organizationId, endpointId)
      return after
    },
  )
  const remove = database.transaction((organizationId: string, endpointId: string): boolean => {
    deliveries.dropWaiting(organizationId, endpointId)
    return sql.removeEndpoint.run(endpointId, organizationId).changes === 1
  })

  const port: EndpointMethods = {
    endpoints: async organizationId => endpoints(organizationId),
    changeEndpoint: async (...wanted) => change.immediate(...wanted),
    removeEndpoint: async (...wanted) => remove.immediate(...wanted),
    saveAttempt: async (organizationId, { delivery, attempt, changed }) =>
      database.transaction(() => {
        if (!deliveries.saveTry(organizationId, delivery, attempt)) return undefined
        if (changed) change(organizationId, delivery.endpointId, changed)
        return undefined
      })(),
    plans: async organizationId => plans(organizationId),
    addMessage: async (organizationId, message) => addMessage(messageRow(organizationId, message, 0)),
  }

  return {
    /** Endpoints and delivery plans, queried only if they are known to exist. */
    subscriptions: (organizationId: string, existing: { endpoints?: number; plans?: number }): Subscriptions => ({
      endpoints: existing.endpoints ? endpoints(organizationId) : [],
      plans: existing.plans ? plans(organizationId) : [],
    }),
    /** Inserts messages and deliveries and uses up plans, in the transaction of the change that they are about. */
    insertOutbox: (organizationId: string, told: OutboxEntries): void => {
      for (const message of told.messages) addMessage(messageRow(organizationId, message))
      for (const delivery of told.deliveries) deliveries.add(organizationId, delivery)
      for (const { planId, times } of told.spentPlans) sql.spendPlan.run(times, planId)
      if (told.spentPlans.length > 0) sql.dropSpentPlans.run(organizationId)
    },
    port: { ...createMessageAndPlanStore(createDb(database)), ...port, ...deliveries.port } satisfies WebhookStore,
  }
}

const prepareStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Row>(text: string) => database.prepare<Parameters, Row>(text)
  const run = <Parameters extends unknown[]>(text: string) => database.prepare<Parameters>(text)
  return {
    endpoints: query<[string], EndpointRow>(
      `SELECT record FROM webhook_endpoints WHERE organization_id = ${PLANNED_ONCE} ORDER BY position`,
    ),
    endpoint: query<[string, string], EndpointRow>(
      'SELECT record FROM webhook_endpoints WHERE endpoint_id = ? AND organization_id = ?',
    ),
    saveEndpoint: run<[string, string]>('UPDATE webhook_endpoints SET record = ? WHERE endpoint_id = ?'),
    removeEndpoint: run<[string, string]>(
      'DELETE FROM webhook_endpoints WHERE endpoint_id = ? AND organization_id = ?',
    ),

    plans: query<[string], PlanRow>(
      `SELECT record, remaining_uses FROM delivery_plans WHERE organization_id = ${PLANNED_ONCE} ORDER BY position`,
    ),
    spendPlan: run<[number, string]>('UPDATE delivery_plans SET remaining_uses = remaining_uses - ? WHERE plan_id = ?'),
    dropSpentPlans: run<[string]>('DELETE FROM delivery_plans WHERE organization_id = ? AND remaining_uses <= 0'),
  }
}
