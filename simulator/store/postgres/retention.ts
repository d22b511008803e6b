import sql, { raw, type Sql } from 'sql-template-tag'
import type { RetentionCutoffs, RetentionStore } from '../retention-store.ts'
import type { Db } from '../sql-statements.ts'
import { shareOrganization, tryToLockPayments } from './locks.ts'
import type { Pool } from './pool.ts'
import { findClock } from './scheduled-items-and-clocks.ts'

/** Creates the retention store of PostgreSQL, which deletes expired rows, one batch per call. */
export const createRetentionStore = (pool: Pool): RetentionStore => ({
  deleteExpired: (organizationId, cutoffs, most, isOutdatedBy) =>
    pool.begin(async db => {
      await shareOrganization(db, organizationId)
      const clock = await findClock(db, organizationId)
      if (clock && isOutdatedBy?.(clock)) return 0
      let deleted = 0
      for (const [table, cutoff, expiresAt] of INDEPENDENT_TABLES)
        deleted += await db.run(sql`
            DELETE FROM ${raw(table)} WHERE ctid IN (
              SELECT ctid FROM ${raw(table)} WHERE organization_id = ${organizationId}
                AND ${raw(expiresAt)} <= ${cutoffs[cutoff]} LIMIT ${most})
            AND ${raw(expiresAt)} <= ${cutoffs[cutoff]}`)
      deleted += await deleteMessages(db, organizationId, cutoffs.messages, most)
      const { payments, ledgerEntries } = cutoffs
      if (payments !== undefined) deleted += await deletePayments(db, organizationId, payments, most)
      if (ledgerEntries !== undefined) deleted += await deleteLedgerEntries(db, organizationId, ledgerEntries, most)
      return deleted
    }),
})

// biome-ignore format: a table reads by its columns
/** Tables whose rows no others depend on: cutoff and expression of expiry. */
const INDEPENDENT_TABLES = [
  // table         cutoff   expires at
  ['idempotency_keys', 'expired',  'expires_at'],
  ['fault_trigger_counts', 'expired',  'expires_at'],
  ['mocks',        'expired',  'expires_at'],
  ['blik_codes',   'blikCodes', 'phone_id IS NULL AND expires_at'],
  ['blik_codes',   'messages',  'expires_at'],
  ['mandates',     'messages',  'LEAST(expires_at, revoked_at)'],
  ['activities',        'messages',  'transaction_id IS NULL AND ended_at'],
] as const satisfies readonly (readonly [table: string, cutoff: Exclude<keyof RetentionCutoffs, 'payments' | 'ledgerEntries'>, expiresAt: string])[]

const isPending = sql`
  EXISTS (SELECT 1 FROM deliveries WHERE deliveries.message_id = messages.message_id AND due_at IS NOT NULL)`

/** Deletes expired messages without a pending delivery, with their deliveries and attempts. */
const deleteMessages = async (db: Db, organizationId: string, until: number, most: number): Promise<number> => {
  const expired = await db.rows<{ message_id: string }>(sql`
    SELECT message_id FROM messages
    WHERE organization_id = ${organizationId} AND due_at <= ${until} AND NOT ${isPending} ORDER BY due_at LIMIT ${most}`)
  return deleteMessageRows(
    db,
    expired.map(({ message_id }) => message_id),
  )
}

const deleteMessageRows = async (db: Db, ids: string[]): Promise<number> => {
  await db.run(sql`
    DELETE FROM delivery_attempts WHERE delivery_id IN (
      SELECT delivery_id FROM deliveries WHERE message_id = ANY (${ids}::text[]))`)
  await db.run(sql`DELETE FROM deliveries WHERE message_id = ANY (${ids}::text[])`)
  return await db.run(sql`DELETE FROM messages WHERE message_id = ANY (${ids}::text[])`)
}

/** Deletes expired payments without pending work, their events and messages. */
const deletePayments = async (db: Db, organizationId: string, until: number, most: number): Promise<number> => {
  const expired = async (which: Sql = sql`TRUE`) =>
    (
      await db.rows<{ transaction_id: string }>(sql`
        SELECT transaction_id FROM payments WHERE organization_id = ${organizationId} AND created_at <= ${until} AND ${which}
          AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.transaction_id = payments.transaction_id)
          AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.organization_id = payments.organization_id
            AND messages.transaction_id = payments.transaction_id AND ${isPending})
        ORDER BY created_at LIMIT ${most}`)
    ).map(({ transaction_id }) => transaction_id)
  const locked = await tryToLockPayments(db, await expired())
  const ids = await expired(sql`transaction_id = ANY (${locked}::text[])`) // a unit may have changed one before its lock
  const messages = await db.rows<{ message_id: string }>(sql`
    SELECT message_id FROM messages WHERE organization_id = ${organizationId} AND transaction_id = ANY (${ids}::text[])`)
  await deleteMessageRows(
    db,
    messages.map(({ message_id }) => message_id),
  )
  await db.run(sql`DELETE FROM payment_events WHERE transaction_id = ANY (${ids}::text[])`)
  await db.run(
    sql`DELETE FROM activities WHERE organization_id = ${organizationId} AND transaction_id = ANY (${ids}::text[])`,
  )
  return await db.run(sql`DELETE FROM payments WHERE transaction_id = ANY (${ids}::text[])`)
}

/** Deletes expired ledger entries, whether their payments are there or not: a report has the whole of a day (D-75). */
const deleteLedgerEntries = (db: Db, organizationId: string, until: number, most: number): Promise<number> =>
  db.run(sql`
    DELETE FROM ledger_entries WHERE ledger_entry_id IN (
      SELECT ledger_entry_id FROM organizations, json_array_elements_text(account_ids::json) AS account,
        LATERAL (SELECT ledger_entry_id FROM ledger_entries
          WHERE organization_id = ${organizationId} AND account_id = account AND booked_at <= ${until}
          ORDER BY booked_at, ledger_entry_id LIMIT ${most}) AS old
      WHERE organization_id = ${organizationId} LIMIT ${most})`)
