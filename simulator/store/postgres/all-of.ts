import sql, { join, type Sql } from 'sql-template-tag'

/**
 * Those conditions that were asked for, and no others: a plan is made for what is there, and "absent or equal" is what no
 * index can serve.
 */
export const allOf = (...conditions: readonly (Sql | false)[]): Sql =>
  join(
    conditions.filter(condition => condition !== false),
    ' AND ',
  )

/** Of notifications: about one payment. The organization is what their index begins with. */
export const ofPayment = (organizationId: string, transactionId: string): Sql =>
  sql`notifications.organization_id = ${organizationId} AND transaction_id = ${transactionId}`
