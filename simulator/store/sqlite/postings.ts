import type { Database } from 'better-sqlite3'
import type { BookedPosting, Posting } from '../../payments/payment.ts'
import type { PostingsWanted } from '../port.ts'

type Booked = Posting & { organizationId: string; accountId: string; transactionId: string; currency: string }

/** The books: what money moved on which account, by time. */
export const openPostings = (database: Database) => {
  const add = database.prepare<[Booked]>(`
    INSERT INTO postings (organization_id, account_id, transaction_id, kind, movement_id, client_transaction_id,
      amount, currency, at)
    VALUES (@organizationId, @accountId, @transactionId, @kind, @movementId, @clientTransactionId,
      @amount, @currency, @at)`)
  const list = database.prepare<
    [{ organizationId: string; accountId: string; from: number; to: number }],
    BookedPosting
  >(`
    SELECT posting.kind, posting.movement_id AS movementId, posting.client_transaction_id AS clientTransactionId,
      posting.amount, posting.currency, posting.at, posting.account_id AS accountId,
      posting.transaction_id AS transactionId, payment.client_transaction_id AS reference,
      payment.provider_id AS providerId
    FROM postings AS posting INDEXED BY postings_by_time JOIN payments AS payment USING (transaction_id)
    WHERE posting.organization_id = @organizationId AND posting.account_id = @accountId AND at >= @from AND at < @to
    ORDER BY at, posting_id`)
  return {
    add: (booked: Booked): void => void add.run(booked),
    list: (organizationId: string, { accountIds, from, to }: PostingsWanted): BookedPosting[] =>
      accountIds.flatMap(accountId => list.all({ organizationId, accountId, from, to })),
  }
}
