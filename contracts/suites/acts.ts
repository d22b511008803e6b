import type { EndpointName } from '../client/endpoints.ts'
import type { Exchange } from '../client/exchange.ts'
import { cancelOf, captureOf, finalizeOf, refundOf } from './bodies.ts'
import type { Player } from './player.ts'

/** What a merchant can do with one payment. */
export const on = ({ merchant, account }: Player, transactionId: string) => {
  const post = (endpoint: EndpointName, json: unknown): Promise<Exchange> => merchant.request(endpoint, { json })
  return {
    finalize: () => post('finalize', finalizeOf(account, transactionId)),
    capture: (amount?: number) => post('capture', captureOf(account, transactionId, amount)),
    cancel: () => post('cancel', cancelOf(account, transactionId)),
    refund: (amount?: number) => post('refund', refundOf(account, transactionId, amount)),
    status: () => merchant.request('status', { path: { transactionId } }),
    events: () => merchant.request('events', { path: { transactionId } }),
  }
}
