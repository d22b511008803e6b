import { STATES } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { isoTime } from '../support/clock.ts'
import { toCsvRows } from '../support/csv.ts'

// biome-ignore format: a table reads by its columns
/** Columns of an export of payments; amounts are in minor units. */
const COLUMNS = [
  ['createdAt',           payment => isoTime(payment.createdAt)],
  ['transactionId',       payment => payment.transactionId],
  ['clientTransactionId', payment => payment.clientTransactionId],
  ['processingAccountId', payment => payment.processingAccountId],
  ['providerId',          payment => payment.providerId],
  ['transactionType',     payment => payment.transactionType],
  ['status',              payment => STATES[payment.state].status],
  ['state',               payment => payment.state],
  ['reasonCode',          payment => payment.statusInfo.reasonCode],
  ['amount',              payment => payment.amount],
  ['captured',            payment => payment.captured],
  ['refunded',            payment => payment.refunded],
  ['currency',            payment => payment.currency],
  ['description',         payment => payment.description],
] as const satisfies readonly (readonly [string, (payment: Payment) => string | number])[]

/** Converts payments that come slice by slice to the text of a CSV file, slice by slice: the header in the first. */
export async function* paymentsCsv(slices: AsyncIterable<readonly Payment[]>): AsyncGenerator<string> {
  let header = toCsvRows([COLUMNS.map(([name]) => name)])
  for await (const slice of slices) {
    yield header + toCsvRows(slice.map(payment => COLUMNS.map(([, cell]) => cell(payment))))
    header = ''
  }
}
