import sql from 'sql-template-tag'
import type { BookedPosting, Payment, Posting } from '../../payments/payment.ts'
import type { PostingsWanted } from '../port.ts'
import type { Db } from './open.ts'

export const addPostings = (
  db: Db,
  organizationId: string,
  { transactionId, processingAccountId, currency }: Payment,
  postings: readonly Posting[],
): Promise<unknown>[] =>
  postings.map(({ kind, movementId, clientTransactionId, amount, at }) =>
    db.run(sql`
      INSERT INTO postings (organization_id, account_id, transaction_id, kind, movement_id, client_transaction_id,
        amount, currency, at)
      VALUES (${organizationId}, ${processingAccountId}, ${transactionId}, ${kind}, ${movementId},
        ${clientTransactionId}, ${amount}, ${currency}, ${at})`),
  )

/** Account by account, each in order of time. */
export const listPostings = async (
  db: Db,
  organizationId: string,
  { accountIds, from, to }: PostingsWanted,
): Promise<BookedPosting[]> => {
  const perAccount = accountIds.map(accountId =>
    db.rows<BookedPosting>(sql`
      SELECT posting.kind, posting.movement_id AS "movementId", posting.client_transaction_id AS "clientTransactionId",
        posting.amount, posting.currency, posting.at, posting.account_id AS "accountId",
        posting.transaction_id AS "transactionId", payment.client_transaction_id AS reference,
        payment.provider_id AS "providerId"
      FROM postings AS posting JOIN payments AS payment USING (transaction_id)
      WHERE posting.organization_id = ${organizationId} AND posting.account_id = ${accountId}
        AND at >= ${from} AND at < ${to}
      ORDER BY at, posting_id`),
  )
  return (await Promise.all(perAccount)).flat()
}
