import type { Database } from 'better-sqlite3'
import type { StoredLedgerEntry } from '../../payments/payment.ts'
import { INSERT_TARGETS } from '../inserted-rows.ts'
import type { LedgerQuery } from '../unit-of-work.ts'
import { prepareInsertion } from './prepare-insertion.ts'

/**
 * Opens the SQLite store of ledger entries, which lists them by account and time. Entries of an earlier version have
 * reference and provider from their payment alone.
 */
export const openLedgerEntries = (database: Database) => {
  const list = database.prepare<
    [{ organizationId: string; accountId: string; from: number; to: number }],
    StoredLedgerEntry
  >(`
    SELECT entry.kind, entry.capture_or_refund_id AS captureOrRefundId, entry.client_transaction_id AS clientTransactionId,
      entry.amount, entry.currency, entry.booked_at AS at, entry.account_id AS accountId,
      entry.transaction_id AS transactionId, COALESCE(reference, payment.client_transaction_id) AS reference,
      COALESCE(entry.provider_id, payment.provider_id) AS providerId
    FROM ledger_entries AS entry INDEXED BY ledger_entries_by_time LEFT JOIN payments AS payment USING (transaction_id)
    WHERE entry.organization_id = @organizationId AND entry.account_id = @accountId AND booked_at >= @from AND booked_at < @to
      AND COALESCE(reference, payment.client_transaction_id) IS NOT NULL
    ORDER BY booked_at, ledger_entry_id`)
  return {
    add: prepareInsertion(database, INSERT_TARGETS.ledgerEntries),
    list: (organizationId: string, { accountIds, from, to }: LedgerQuery): StoredLedgerEntry[] =>
      accountIds.flatMap(accountId => list.all({ organizationId, accountId, from, to })),
  }
}
