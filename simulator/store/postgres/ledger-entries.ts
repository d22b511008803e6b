import sql, { join } from 'sql-template-tag'
import type { LedgerEntry, Payment, StoredLedgerEntry } from '../../payments/payment.ts'
import type { LedgerQuery } from '../unit-of-work.ts'
import type { Db } from './pool.ts'

/** Inserts ledger entries of a payment into PostgreSQL, in their order; the caller awaits the statement. */
export const insertLedgerEntries = (
  db: Db,
  organizationId: string,
  { transactionId, processingAccountId, currency }: Payment,
  ledgerEntries: readonly LedgerEntry[],
): Promise<unknown>[] => {
  const rows = ledgerEntries.map(
    ({ kind, captureOrRefundId, clientTransactionId, amount, at }) => sql`(${organizationId}, ${processingAccountId},
      ${transactionId}, ${kind}, ${captureOrRefundId}, ${clientTransactionId}, ${amount}, ${currency}, ${at})`,
  )
  if (rows.length === 0) return []
  return [
    db.run(sql`
      INSERT INTO ledger_entries (organization_id, account_id, transaction_id, kind, capture_or_refund_id, client_transaction_id,
        amount, currency, booked_at)
      VALUES ${join(rows)}`),
  ]
}

/** Lists ledger entries in PostgreSQL account by account, those of each account in order of time. */
export const listLedgerEntries = async (
  db: Db,
  organizationId: string,
  { accountIds, from, to }: LedgerQuery,
): Promise<StoredLedgerEntry[]> => {
  const perAccount = accountIds.map(accountId =>
    db.rows<StoredLedgerEntry>(sql`
      SELECT entry.kind, entry.capture_or_refund_id AS "captureOrRefundId", entry.client_transaction_id AS "clientTransactionId",
        entry.amount, entry.currency, entry.booked_at AS at, entry.account_id AS "accountId",
        entry.transaction_id AS "transactionId", payment.client_transaction_id AS reference,
        payment.provider_id AS "providerId"
      FROM ledger_entries AS entry JOIN payments AS payment USING (transaction_id)
      WHERE entry.organization_id = ${organizationId} AND entry.account_id = ${accountId}
        AND booked_at >= ${from} AND booked_at < ${to}
      ORDER BY booked_at, ledger_entry_id`),
  )
  return (await Promise.all(perAccount)).flat()
}
