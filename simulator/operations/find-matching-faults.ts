import { type CallIdentifiers, type Fault, matchesCall } from '../providers/fault-kinds.ts'
import type { Loaded } from '../store/unit-of-work.ts'
import type { OperationCall } from './operation-types.ts'

/** Finds the armed faults that match a call, oldest first. */
export const findMatchingFaults = (call: OperationCall, loaded: Loaded): readonly Fault[] => {
  const names = namesOf(call, loaded)
  return loaded.faults.filter(fault => matchesCall(fault, names))
}

/** Returns the identifiers by which faults match a call: its payment's, if any; for a charge its mandate's payer. */
const namesOf = ({ request }: OperationCall, { payment, mandate }: Loaded): CallIdentifiers => {
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
