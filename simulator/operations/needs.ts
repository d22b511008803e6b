import type { NamedMandate, Needs } from '../store/port.ts'
import type { OperationCall, Registered } from './operation.ts'

/** What a call wants loaded before it is decided. */
export const needsOf = (call: OperationCall, registered: Registered, now: number): Needs => {
  const { request, key, operation } = call
  if (registered.on === 'payments') return registered.needs(request as never, { ...call, now })
  return {
    transactionId: request.transactionId,
    blikCode: request.payerDetails?.oneTimeCode,
    key,
    events: registered.on === 'payment' && registered.events === true,
    mandate: registered.on === 'nothing' && registered.mandate ? namedMandate(call) : undefined,
    providerCall: key === undefined ? undefined : operation,
    named: { payerId: request.payerDetails?.payerId, clientTransactionId: request.clientTransactionId },
  }
}

/** The mandate that a charge names: by its token, or as the payer's newest (D-63). */
const namedMandate = ({ request }: OperationCall): NamedMandate => ({
  processingAccountId: request.processingAccountId ?? '',
  providerId: request.providerDetails?.providerId,
  payerId: request.payerDetails?.payerId,
  paymentToken: request.payerDetails?.paymentToken,
})
