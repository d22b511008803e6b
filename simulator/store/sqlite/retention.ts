import type { Database } from 'better-sqlite3'
import type { Horizon, RetentionStore } from '../retention-port.ts'

type Asked = { organizationId: string; until: number; most: number }
/** A JSON list of ids of one organization's rows. */
type Ids = { organizationId: string; ids: string }

// biome-ignore format: a table reads by its columns
/** Rows on which no others hang, and when they are over. */
const ALONE = [
  // table         key                     horizon  over
  ['remembered',   'position',             'over',  'expires_at <= @until'],
  ['faults_met',   'organization_id, key', 'over',  'expires_at <= @until'],
  ['mocks',        'mock_id',              'over',  'expires_at <= @until'],
  ['blik_codes',   'code_id',              'codes', 'expires_at <= @until'],
  ['mandates',     'mandate_id',           'past',  'MIN(expires_at, COALESCE(revoked_at, expires_at)) <= @until'],
  ['deeds',        'position',             'past',  'transaction_id IS NULL AND until <= @until'],
] as const satisfies readonly (readonly [table: string, key: string, horizon: keyof Horizon, over: string])[]

/** The part of the store that removes what is over, a slice at a time. */
export const openRetention = (database: Database): RetentionStore => {
  const alone = ALONE.map(([table, key, horizon, over]) => {
    const some = `SELECT ${key} FROM ${table} WHERE organization_id = @organizationId AND ${over} LIMIT @most`
    return { horizon, drop: database.prepare<[Asked]>(`DELETE FROM ${table} WHERE (${key}) IN (${some})`) }
  })
  const dropMessages = droppingMessages(database)
  const dropPayments = droppingPayments(database)

  const drop = database.transaction((organizationId: string, horizon: Horizon, most: number): number => {
    const ended = (until: number): Asked => ({ organizationId, until, most })
    const dropped = alone.map(({ horizon: by, drop }) => drop.run(ended(horizon[by])).changes)
    dropped.push(dropMessages(ended(horizon.past)))
    if (horizon.payments !== undefined) dropped.push(dropPayments(ended(horizon.payments)))
    return dropped.reduce((sum, rows) => sum + rows)
  })
  return { dropOver: async (...asked) => drop.immediate(...asked) }
}

const GIVEN = 'SELECT value FROM json_each(@ids)'
const WAITS =
  'EXISTS (SELECT 1 FROM deliveries WHERE deliveries.sending_id = notifications.sending_id AND due_at IS NOT NULL)'

/** Messages without a delivery that waits, with deliveries and tries. */
const droppingMessages = (database: Database) => {
  const old = database.prepare<[Asked], Pick<Ids, 'ids'>>(`
    SELECT json_group_array(sending_id) AS ids FROM (
      SELECT sending_id FROM notifications WHERE organization_id = @organizationId AND due_at <= @until AND NOT ${WAITS}
      ORDER BY due_at LIMIT @most)`)
  const drop = droppingSendings(database)
  return (asked: Asked): number => drop({ organizationId: asked.organizationId, ids: old.get(asked)?.ids ?? '[]' })
}

/** These messages; how many they were. */
const droppingSendings = (database: Database) => {
  const ofDeliveries = `SELECT delivery_id FROM deliveries WHERE sending_id IN (${GIVEN})`
  const statements = [
    `DELETE FROM attempts WHERE delivery_id IN (${ofDeliveries})`,
    `DELETE FROM deliveries WHERE sending_id IN (${GIVEN})`,
    `DELETE FROM notifications WHERE sending_id IN (${GIVEN})`,
  ].map(text => database.prepare<[Ids]>(text))
  return (ids: Ids): number => statements.map(statement => statement.run(ids).changes).at(-1) ?? 0
}

/** Payments for which nothing waits, with what hangs on them; postings follow by their own date. */
const droppingPayments = (database: Database) => {
  const old = database.prepare<[Asked], Pick<Ids, 'ids'>>(`
    SELECT json_group_array(transaction_id) AS ids FROM (
      SELECT transaction_id FROM payments WHERE organization_id = @organizationId AND created_at <= @until
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.transaction_id = payments.transaction_id)
        AND NOT EXISTS (SELECT 1 FROM notifications WHERE notifications.organization_id = payments.organization_id
          AND notifications.transaction_id = payments.transaction_id AND ${WAITS})
      ORDER BY created_at LIMIT @most)`)
  const told = database.prepare<[Ids], Pick<Ids, 'ids'>>(`
    SELECT json_group_array(sending_id) AS ids FROM notifications
    WHERE organization_id = @organizationId AND transaction_id IN (${GIVEN})`)
  const dropSendings = droppingSendings(database)
  const statements = [
    `DELETE FROM events WHERE transaction_id IN (${GIVEN})`,
    `DELETE FROM deeds WHERE organization_id = @organizationId AND transaction_id IN (${GIVEN})`,
    `DELETE FROM payments WHERE transaction_id IN (${GIVEN})`,
  ].map(text => database.prepare<[Ids]>(text))
  const accounts =
    'SELECT value FROM json_each((SELECT account_ids FROM organizations WHERE organization_id = @organizationId))'
  const dropPostings = database.prepare<[Asked]>(`
    DELETE FROM postings WHERE posting_id IN (
      SELECT posting_id FROM postings
      WHERE organization_id = @organizationId AND account_id IN (${accounts}) AND at <= @until
        AND NOT EXISTS (SELECT 1 FROM payments WHERE payments.transaction_id = postings.transaction_id) LIMIT @most)`)

  return (asked: Asked): number => {
    const { organizationId } = asked
    const ids = { organizationId, ids: old.get(asked)?.ids ?? '[]' }
    dropSendings({ organizationId, ids: told.get(ids)?.ids ?? '[]' })
    const dropped = statements.map(statement => statement.run(ids).changes).at(-1) ?? 0
    return dropped + dropPostings.run(asked).changes
  }
}
