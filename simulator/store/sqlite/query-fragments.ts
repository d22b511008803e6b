/**
 * Joins the SQL conditions that apply to a SQLite query by AND. Conditions that do not apply are left out rather than
 * written as "parameter is null or equal", for which no index can be used.
 */
export const allOf = (...conditions: readonly (string | false)[]): string =>
  conditions.filter(condition => condition !== false).join(' AND ')

/**
 * SQL of a parameter in a query with ORDER BY: compared directly, SQLite plans the query again for each value, a tenth
 * of a unit of work's processor time.
 */
export const PLANNED_ONCE = '(SELECT ?)'

/** SQL condition for messages about one payment; it names the organization because their index begins with it. */
export const IS_ABOUT_PAYMENT = 'messages.organization_id = @organizationId AND transaction_id = @transactionId'

/** SQL condition for messages about any of the payments in a JSON list. */
export const IS_ABOUT_ANY_PAYMENT =
  'messages.organization_id = @organizationId AND transaction_id IN (SELECT value FROM json_each(@transactionId))'

/**
 * Returns the SQL FROM clause of deliveries with their messages; for one payment, walks from that payment's messages.
 */
export const deliveriesWithMessages = (transactionId: unknown): string =>
  transactionId === undefined
    ? 'deliveries JOIN messages USING (message_id)'
    : 'messages INDEXED BY messages_by_payment CROSS JOIN deliveries USING (message_id)'
