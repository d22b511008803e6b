import sql from 'sql-template-tag'
import type { StoredLedgerEntry } from '../../payments/payment.ts'
import type { Db } from '../sql-statements.ts'
import type { LedgerQuery } from '../unit-of-work.ts'

/**
 * Lists ledger entries in PostgreSQL account by account, those of each account in order of time. Entries of an earlier
 * version have reference and provider from their payment alone.
 */
export const listLedgerEntries = async (
  db: Db,
  organizationId: string,
  { accountIds, from, to }: LedgerQuery,
): Promise<StoredLedgerEntry[]> => {
  const perAccount = accountIds.map(accountId =>
    db.rows<StoredLedgerEntry>(sql`
      SELECT entry.kind, entry.capture_or_refund_id AS "captureOrRefundId", entry.client_transaction_id AS "clientTransactionId",
        entry.amount, entry.currency, entry.booked_at AS at, entry.account_id AS "accountId",
        entry.transaction_id AS "transactionId", COALESCE(reference, payment.client_transaction_id) AS reference,
        COALESCE(entry.provider_id, payment.provider_id) AS "providerId"
      FROM ledger_entries AS entry LEFT JOIN payments AS payment USING (transaction_id)
      WHERE entry.organization_id = ${organizationId} AND entry.account_id = ${accountId}
        AND booked_at >= ${from} AND booked_at < ${to}
        AND COALESCE(reference, payment.client_transaction_id) IS NOT NULL
      ORDER BY booked_at, ledger_entry_id`),
  )
  return (await Promise.all(perAccount)).flat()
}
