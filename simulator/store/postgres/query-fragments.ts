import sql, { empty, join, type Sql } from 'sql-template-tag'

/** What ends a SELECT that locks its rows until the end of the transaction, or one that does not. */
export type RowLock = Sql
export const LOCKED: RowLock = sql`FOR UPDATE`
export const WITHOUT_LOCK: RowLock = empty

/**
 * Joins the SQL conditions that apply to a PostgreSQL query by AND. Conditions that do not apply are left out rather
 * than written as "parameter is null or equal", for which no index can be used.
 */
export const allOf = (...conditions: readonly (Sql | false)[]): Sql =>
  join(
    conditions.filter(condition => condition !== false),
    ' AND ',
  )

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
