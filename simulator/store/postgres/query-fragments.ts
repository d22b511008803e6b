import sql, { empty, type Sql } from 'sql-template-tag'

/** What ends a SELECT that locks its rows until the end of the transaction, or one that does not. */
export type RowLock = Sql
export const LOCKED: RowLock = sql`FOR UPDATE`
export const WITHOUT_LOCK: RowLock = empty

/**
 * Creates the SQL condition for messages about one payment, or any of several; names the organization, with which their
 * index begins.
 */
export const isAboutPayment = (organizationId: string, transactionId: string | readonly string[]): Sql =>
  sql`messages.organization_id = ${organizationId} AND ${
    typeof transactionId === 'string'
      ? sql`transaction_id = ${transactionId}`
      : sql`transaction_id = ANY (${[...transactionId]}::text[])`
  }`
