import { OPERATIONS } from '../../contracts/operations.ts'
import { PROVIDERS } from '../../contracts/protocol/providers-and-capabilities.ts'
import type { MandateQuery, ReadSet } from '../store/unit-of-work.ts'
import type { OperationCall, OperationDefinition, OperationRules } from './operation-types.ts'

/** Selects the records to load for a call (its read set), which the store reads before the call is decided. */
export const selectRecordsToLoad = (
  call: OperationCall,
  definition: OperationDefinition,
  at: { now: number; rules: OperationRules },
): ReadSet => {
  const { request, key, operation } = call
  const isReadOnly = OPERATIONS[operation].scope !== 'payments:process'
  if (definition.on === 'payments') return { ...definition.needs(request as never, { ...call, ...at }), isReadOnly }
  return {
    isReadOnly,
    transactionId: request.transactionId,
    blikCode: oneTimeCodeOf(request),
    key,
    events: definition.on === 'payment' && definition.events === true,
    mandate: definition.on === 'nothing' && definition.mandate ? namedMandate(call) : undefined,
    providerCall: key === undefined ? undefined : operation,
    mockKeys: { payerId: request.payerDetails?.payerId, clientTransactionId: request.clientTransactionId },
  }
}

/** The code by which a request asks its provider for the shopper; undefined where the provider has none (2.3, R6). */
export const oneTimeCodeOf = ({ providerDetails, payerDetails }: OperationCall['request']): string | undefined =>
  providerDetails?.providerId && PROVIDERS[providerDetails.providerId].oneTimeCodes
    ? payerDetails?.oneTimeCode
    : undefined

/** Returns the look-up of the mandate that a charge names: by its token, or the payer's newest (D-63). */
const namedMandate = ({ request }: OperationCall): MandateQuery => ({
  processingAccountId: request.processingAccountId ?? '',
  providerId: request.providerDetails?.providerId,
  payerId: request.payerDetails?.payerId,
  paymentToken: request.payerDetails?.paymentToken,
})
