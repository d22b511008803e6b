import type { Database, Statement } from 'better-sqlite3'

/**
 * Those conditions that were asked for, and no others: a plan is made for what is there, and "absent or equal" is what no
 * index can serve.
 */
export const allOf = (...conditions: readonly (string | false)[]): string =>
  conditions.filter(condition => condition !== false).join(' AND ')

/** Of notifications: about one payment. The organization is what their index begins with. */
export const OF_PAYMENT = 'notifications.organization_id = @organizationId AND transaction_id = @transactionId'

/** Deliveries with what they carry; those of one payment by way of its notifications, whatever the order would suggest. */
export const sentOf = (transactionId: string | undefined): string =>
  transactionId === undefined
    ? 'deliveries JOIN notifications USING (sending_id)'
    : 'notifications INDEXED BY notifications_by_payment CROSS JOIN deliveries USING (sending_id)'

/** Statements that are put together from a few parts: each is prepared when it is first asked for. */
export const preparedOnce = <Parameters extends unknown[], Row>(database: Database) => {
  const prepared = new Map<string, Statement<Parameters, Row>>()
  return (text: string): Statement<Parameters, Row> => {
    const known = prepared.get(text) ?? database.prepare<Parameters, Row>(text)
    prepared.set(text, known)
    return known
  }
}
