import sql from 'sql-template-tag'
import { allOf, createSqlTags, type Db } from './sql-statements.ts'
import { toDelivery, toMessage } from './webhook-row-mapping.ts'
import { PING, type ResendCount, type WebhookStore } from './webhook-store.ts'

type MessageAndPlanMethods = Pick<
  WebhookStore,
  | 'inbox'
  | 'hasMessage'
  | 'clearInbox'
  | 'messages'
  | 'resend'
  | 'countResent'
  | 'addEndpoint'
  | 'addPlan'
  | 'clearPlans'
>

/** Messages that one statement takes out of an inbox: no statement may take longer than a time limit of PostgreSQL. */
const CLEARED_AT_ONCE = 5_000

/** Creates the store of the inbox, of deliveries sent again, and of new endpoints and plans, over SQLite or PostgreSQL. */
export const createMessageAndPlanStore = (db: Db): MessageAndPlanMethods => {
  const { list, find, run, count } = createSqlTags(db)
  return {
    inbox: (organizationId, { order, type, transactionId, clientTransactionId, after, before, now, limit }) => {
      const direction = order === 'newest' ? sql`DESC` : sql`ASC`
      const placeOf = (messageId: string) =>
        sql`(SELECT due_at, position FROM messages WHERE message_id = ${messageId} AND organization_id = ${organizationId})`
      return list(toMessage)`
        SELECT * FROM messages
        WHERE ${allOf(
          sql`organization_id = ${organizationId} AND due_at <= ${now} AND in_inbox = 1`,
          transactionId !== undefined && sql`transaction_id = ${transactionId}`,
          type !== undefined && sql`type = ${type}`,
          clientTransactionId !== undefined && sql`client_transaction_id = ${clientTransactionId}`,
          after !== undefined && sql`(due_at, position) > ${placeOf(after)}`,
          before !== undefined && sql`(due_at, position) < ${placeOf(before)}`,
        )}
        ORDER BY due_at ${direction}, position ${direction} LIMIT ${limit}`
    },
    hasMessage: async (organizationId, messageId) => {
      const wanted = sql`message_id = ${messageId} AND organization_id = ${organizationId}`
      return (await db.rows(sql`SELECT 1 FROM messages WHERE ${wanted}`)).length > 0
    },
    clearInbox: async (organizationId, now) => {
      const clearSome = () => count`
        UPDATE messages SET in_inbox = 0
        WHERE message_id IN (SELECT message_id FROM messages
          WHERE organization_id = ${organizationId} AND due_at <= ${now} AND in_inbox = 1 LIMIT ${CLEARED_AT_ONCE})`
      let [cleared, some] = [0, CLEARED_AT_ONCE]
      for (; some === CLEARED_AT_ONCE; cleared += some) some = await clearSome()
      return cleared
    },
    messages: (organizationId, from, to, limit) => list(toMessage)`
      SELECT * FROM messages
      WHERE organization_id = ${organizationId} AND due_at >= ${from} AND due_at <= ${to} AND type <> ${PING}
      ORDER BY due_at, position LIMIT ${limit}`,
    resend: (organizationId, deliveryId, { at, real }) => find(toDelivery)`
      UPDATE deliveries SET due_at = ${at}, state = 'waiting', resent_at = ${real}
      WHERE delivery_id = ${deliveryId} AND organization_id = ${organizationId} RETURNING *`,
    countResent: async (organizationId, real, now) => {
      const counts = await find((row: ResendCount) => row)`
        SELECT COUNT(*) FILTER (WHERE state = 'delivered') AS delivered, COUNT(*) FILTER (WHERE is_open) AS open,
          COUNT(*) FILTER (WHERE state <> 'delivered' AND NOT is_open) AS failing
        FROM (SELECT state, COALESCE(due_at <= ${now}, FALSE) AS is_open FROM deliveries
          WHERE organization_id = ${organizationId} AND resent_at = ${real}) AS resent`
      return counts ?? { delivered: 0, failing: 0, open: 0 }
    },
    addEndpoint: (organizationId, endpoint) => run`
      INSERT INTO webhook_endpoints (endpoint_id, organization_id, record)
      VALUES (${endpoint.endpointId}, ${organizationId}, ${JSON.stringify(endpoint)})`,
    addPlan: (organizationId, { left, ...plan }) => run`
      INSERT INTO delivery_plans (plan_id, organization_id, remaining_uses, record)
      VALUES (${plan.planId}, ${organizationId}, ${left}, ${JSON.stringify(plan)})`,
    clearPlans: organizationId => count`DELETE FROM delivery_plans WHERE organization_id = ${organizationId}`,
  }
}
