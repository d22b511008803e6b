import { type CallNames, type Fault, fits } from '../providers/faults.ts'
import type { Loaded } from '../store/port.ts'
import type { OperationCall } from './operation.ts'

/** The faults that wait for a call such as this one, oldest first. */
export const armedFor = (call: OperationCall, loaded: Loaded): readonly Fault[] => {
  const names = namesOf(call, loaded)
  return loaded.faults.filter(fault => fits(fault, names))
}

/** What a call is known by: the payment's own where it works on one; a charge has the payer of its mandate. */
const namesOf = ({ request }: OperationCall, { payment, mandate }: Loaded): CallNames => {
  const { processingAccountId, clientTransactionId, payerDetails, providerDetails } = request
  const named = {
    transactionId: undefined,
    clientTransactionId,
    payerId: payerDetails?.payerId ?? mandate?.payerId,
    processingAccountId,
    providerId: providerDetails?.providerId,
  }
  return payment ? { ...named, ...payment, payerId: payment.payerId } : named
}
