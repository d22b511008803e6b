import { isServed } from '../../client/http-exchange.ts'
import type { Merchant } from '../../client/merchant-client.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'

/** What a driver sets for one payment: its account and clientTransactionId, and members that differ from a lasting OK. */
type PaymentMock = { processingAccountId: string; clientTransactionId: string } & Readonly<Record<string, unknown>>

/**
 * Sets a MOCK for one payment, by its clientTransactionId (2.7, E2); throws Blocked with the given sentence where that
 * is refused.
 */
export const setMockForPayment = async (
  { merchant }: { merchant: Pick<Merchant, 'request'> },
  { processingAccountId, clientTransactionId, ...more }: PaymentMock,
  ifRefused: string,
): Promise<void> => {
  const key = { type: 'CLIENT_TRANSACTION_ID', value: clientTransactionId }
  const json = { processingAccountId, key, type: 'MOCK', scenario: 'OK', oneTime: false, ...more }
  const set = await merchant.request('mockSet', { json })
  if (!isServed(set)) throw new Blocked(ifRefused, set)
}
