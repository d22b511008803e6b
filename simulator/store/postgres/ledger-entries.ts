import sql, { type Sql } from 'sql-template-tag'
import type { LedgerEntry, Payment, StoredLedgerEntry } from '../../payments/payment.ts'
import type { Db } from '../sql-statements.ts'
import type { LedgerQuery } from '../unit-of-work.ts'
import { insertRows, type OfOrganization } from './insert-rows.ts'

// biome-ignore format: a table reads by its columns
const LEDGER_ENTRIES = {
  table: 'ledger_entries',
  columns: { organization_id: 'text', account_id: 'text', transaction_id: 'text', kind: 'text', capture_or_refund_id: 'text', client_transaction_id: 'text', amount: 'bigint', currency: 'text', booked_at: 'bigint', reference: 'text', provider_id: 'text' },
} as const

/** Returns the statement that inserts ledger entries of payments into PostgreSQL, in their order. */
export const insertLedgerEntries = (
  saved: readonly OfOrganization<{ payment: Payment; ledgerEntries: readonly LedgerEntry[] }>[],
): Sql[] =>
  insertRows(
    LEDGER_ENTRIES,
    saved.flatMap(({ organizationId, payment, ledgerEntries }) =>
      ledgerEntries.map(entry => ({
        organization_id: organizationId,
        account_id: payment.processingAccountId,
        transaction_id: payment.transactionId,
        kind: entry.kind,
        capture_or_refund_id: entry.captureOrRefundId,
        client_transaction_id: entry.clientTransactionId,
        amount: entry.amount,
        currency: payment.currency,
        booked_at: entry.at,
        reference: payment.clientTransactionId,
        provider_id: payment.providerId,
      })),
    ),
  )

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
