/**
 * Periods of one length for counts of payments, in epoch milliseconds on the organization's clock: `from` included,
 * `to` excluded.
 */
export type Periods = { from: number; to: number; width: number }

/** Count of the payments created in a period that have a status now; `period` counts from 0. */
export type PaymentCount = { period: number; status: string; count: number }

/**
 * An id or reference that a search of the store found; `transactionId` is that of the payment, unless it is a delivery.
 */
export type FoundId = {
  kind: 'payment' | 'capture' | 'refund' | 'delivery'
  id: string
  transactionId?: string
  clientTransactionId?: string
}

/**
 * Criteria of a search for ids in the store, by the end of an id; captures and refunds are found by their reference
 * too.
 */
export type IdQuery = { end: string; limit: number }

/** Store operations that count payments for charts, and find ids by their end. */
export type PaymentCountAndIdSearchStore = {
  /** Payments by period of their creation and by status; periods without any are left out. */
  paymentCounts(organizationId: string, periods: Periods): Promise<readonly PaymentCount[]>
  /** Payments, then captures and refunds, then deliveries; at most `limit` of each, in order of their ids. */
  findIds(organizationId: string, query: IdQuery): Promise<readonly FoundId[]>
}
