import type { ChargeRequest, InitiateRequest, Payment } from '../payments/payment.ts'
import { NEVER, noProblem } from '../payments/record.ts'
import type { Context } from './operation.ts'

type Request = Omit<InitiateRequest, 'payerDetails'> | Omit<ChargeRequest, 'payerDetails'>

/** Whether the payment is captured too: read in both places where the document may mean it (D-02). */
export const capturesItself = ({ paymentDetails, autoCapture }: Request): boolean =>
  paymentDetails.autoCapture ?? autoCapture ?? true

/** A payment as it was asked for, before its first move; each way to start one adds what it knows. */
export const newPayment = (
  request: Request,
  { organizationId, ids, now, arranged, plan }: Context,
  { provider, ...more }: Pick<Payment, 'transactionType'> & Omit<Partial<Payment>, 'provider'> & Provided,
): Payment => {
  const { paymentDetails, requestContext, metadata } = request
  return {
    transactionId: ids.orderedUuid(now),
    organizationId,
    processingAccountId: request.processingAccountId,
    clientTransactionId: request.clientTransactionId,
    providerId: request.providerDetails.providerId,
    provider: { providerTransactionId: ids.uuid(), registeredAt: now, ...provider },
    amount: paymentDetails.amount ?? 0,
    currency: paymentDetails.currency,
    country: paymentDetails.country,
    description: paymentDetails.description,
    autoCapture: capturesItself(request),
    ...(requestContext?.locale === undefined ? {} : { locale: requestContext.locale }),
    ...(metadata === undefined ? {} : { metadata }),
    ...more,
    state: 'DECLINED',
    statusInfo: noProblem('Not started'),
    captured: 0,
    settled: 0,
    refunded: 0,
    captures: [],
    refunds: [],
    createdAt: NEVER,
    ...(arranged ? { arranged } : {}),
    ...(plan ? { plan } : {}),
  }
}

type Provided = { provider?: Partial<Payment['provider']> }
