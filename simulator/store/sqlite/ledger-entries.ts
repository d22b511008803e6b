import type { Database } from 'better-sqlite3'
import type { LedgerEntry, StoredLedgerEntry } from '../../payments/payment.ts'
import type { LedgerQuery } from '../unit-of-work.ts'

type LedgerRow = LedgerEntry & { organizationId: string; accountId: string; transactionId: string; currency: string }

/** Opens the SQLite store of ledger entries, which lists them by account and time. */
export const openLedgerEntries = (database: Database) => {
  const add = database.prepare<[LedgerRow]>(`
    INSERT INTO ledger_entries (organization_id, account_id, transaction_id, kind, capture_or_refund_id, client_transaction_id,
      amount, currency, booked_at)
    VALUES (@organizationId, @accountId, @transactionId, @kind, @captureOrRefundId, @clientTransactionId,
      @amount, @currency, @at)`)
  const list = database.prepare<
    [{ organizationId: string; accountId: string; from: number; to: number }],
    StoredLedgerEntry
  >(`
    SELECT entry.kind, entry.capture_or_refund_id AS captureOrRefundId, entry.client_transaction_id AS clientTransactionId,
      entry.amount, entry.currency, entry.booked_at AS at, entry.account_id AS accountId,
      entry.transaction_id AS transactionId, payment.client_transaction_id AS reference,
      payment.provider_id AS providerId
    FROM ledger_entries AS entry INDEXED BY ledger_entries_by_time JOIN payments AS payment USING (transaction_id)
    WHERE entry.organization_id = @organizationId AND entry.account_id = @accountId AND booked_at >= @from AND booked_at < @to
    ORDER BY booked_at, ledger_entry_id`)
  return {
    add: (row: LedgerRow): void => void add.run(row),
    list: (organizationId: string, { accountIds, from, to }: LedgerQuery): StoredLedgerEntry[] =>
      accountIds.flatMap(accountId => list.all({ organizationId, accountId, from, to })),
  }
}
