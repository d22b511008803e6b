import type { Exchange } from '../../client/http-exchange.ts'
import type { OperationName } from '../../operations.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { cancelBody, captureBody, finalizeBody, refundBody } from './request-bodies.ts'

/** Creates a check's calls on one payment by its transaction id: finalize, capture, cancel, refund, status, events. */
export const operationsOn = ({ merchant, account }: TestOrganization, transactionId: string) => {
  const post = (endpoint: OperationName, json: unknown): Promise<Exchange> => merchant.request(endpoint, { json })
  return {
    finalize: () => post('finalize', finalizeBody(account, transactionId)),
    capture: (amount?: number) => post('capture', captureBody(account, transactionId, amount)),
    cancel: () => post('cancel', cancelBody(account, transactionId)),
    refund: (amount?: number) => post('refund', refundBody(account, transactionId, amount)),
    status: () => merchant.request('status', { path: { transactionId } }),
    events: () => merchant.request('events', { path: { transactionId } }),
  }
}
