import sql, { raw } from 'sql-template-tag'
import type { Horizon, RetentionStore } from '../retention-port.ts'
import type { Db, Pool } from './open.ts'

/** Removes what is over, a slice at a time. */
export const retentionPort = (pool: Pool): RetentionStore => ({
  dropOver: (organizationId, horizon, most) =>
    pool.begin(async db => {
      let dropped = 0
      for (const [table, by, over] of ALONE)
        dropped += await db.run(sql`
            DELETE FROM ${raw(table)} WHERE ctid IN (
              SELECT ctid FROM ${raw(table)} WHERE organization_id = ${organizationId}
                AND ${raw(over)} <= ${horizon[by]} LIMIT ${most})`)
      dropped += await dropMessages(db, organizationId, horizon.past, most)
      if (horizon.payments !== undefined) dropped += await dropPayments(db, organizationId, horizon.payments, most)
      return dropped
    }),
})

// biome-ignore format: a table reads by its columns
/** Rows on which no others hang, and when they are over. */
const ALONE = [
  // table         horizon  over
  ['remembered',   'over',  'expires_at'],
  ['faults_met',   'over',  'expires_at'],
  ['mocks',        'over',  'expires_at'],
  ['blik_codes',   'codes', 'expires_at'],
  ['mandates',     'past',  'LEAST(expires_at, revoked_at)'],
  ['deeds',        'past',  'transaction_id IS NULL AND until'],
] as const satisfies readonly (readonly [table: string, horizon: Exclude<keyof Horizon, 'payments'>, over: string])[]

const waits = sql`
  EXISTS (SELECT 1 FROM deliveries WHERE deliveries.sending_id = notifications.sending_id AND due_at IS NOT NULL)`

/** Messages without a delivery that waits, with deliveries and tries. */
const dropMessages = async (db: Db, organizationId: string, until: number, most: number): Promise<number> => {
  const old = await db.rows<{ sending_id: string }>(sql`
    SELECT sending_id FROM notifications
    WHERE organization_id = ${organizationId} AND due_at <= ${until} AND NOT ${waits} ORDER BY due_at LIMIT ${most}`)
  return dropSendings(
    db,
    old.map(({ sending_id }) => sending_id),
  )
}

const dropSendings = async (db: Db, ids: string[]): Promise<number> => {
  await db.run(sql`
    DELETE FROM attempts WHERE delivery_id IN (
      SELECT delivery_id FROM deliveries WHERE sending_id = ANY (${ids}::text[]))`)
  await db.run(sql`DELETE FROM deliveries WHERE sending_id = ANY (${ids}::text[])`)
  return await db.run(sql`DELETE FROM notifications WHERE sending_id = ANY (${ids}::text[])`)
}

/** Payments for which nothing waits, with what hangs on them; postings follow by their own date. */
const dropPayments = async (db: Db, organizationId: string, until: number, most: number): Promise<number> => {
  const old = await db.rows<{ transaction_id: string }>(sql`
    SELECT transaction_id FROM payments WHERE organization_id = ${organizationId} AND created_at <= ${until}
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.transaction_id = payments.transaction_id)
      AND NOT EXISTS (SELECT 1 FROM notifications WHERE notifications.organization_id = payments.organization_id
        AND notifications.transaction_id = payments.transaction_id AND ${waits})
    ORDER BY created_at LIMIT ${most}`)
  const ids = old.map(({ transaction_id }) => transaction_id)
  const told = await db.rows<{ sending_id: string }>(sql`
    SELECT sending_id FROM notifications WHERE organization_id = ${organizationId} AND transaction_id = ANY (${ids}::text[])`)
  await dropSendings(
    db,
    told.map(({ sending_id }) => sending_id),
  )
  await db.run(sql`DELETE FROM events WHERE transaction_id = ANY (${ids}::text[])`)
  await db.run(
    sql`DELETE FROM deeds WHERE organization_id = ${organizationId} AND transaction_id = ANY (${ids}::text[])`,
  )
  const payments = await db.run(sql`DELETE FROM payments WHERE transaction_id = ANY (${ids}::text[])`)
  const postings = await db.run(sql`
    DELETE FROM postings WHERE posting_id IN (
      SELECT posting_id FROM organizations, json_array_elements_text(account_ids::json) AS account,
        LATERAL (SELECT posting_id FROM postings
          WHERE organization_id = ${organizationId} AND account_id = account AND at <= ${until}
            AND NOT EXISTS (SELECT 1 FROM payments WHERE payments.transaction_id = postings.transaction_id)
          ORDER BY at, posting_id LIMIT ${most}) AS old
      WHERE organization_id = ${organizationId} LIMIT ${most})`)
  return payments + postings
}
