import type { ChargeRequest, InitiateRequest, NewPayment, Payment } from '../payments/payment.ts'
import type { OperationContext } from './operation-types.ts'

type Request = Omit<InitiateRequest, 'payerDetails'> | Omit<ChargeRequest, 'payerDetails'>

/** Whether a payment is captured automatically: as its request says at either of two places, else by default (D-02). */
export const isAutoCapture = (request: Request, { rules, supports }: Pick<OperationContext, 'rules' | 'supports'>) => {
  const { paymentDetails, autoCapture, processingAccountId, providerDetails } = request
  const { providerId } = providerDetails
  const isUsual = rules.choices['D-02'] === 'on' || !supports({ processingAccountId, providerId }, 'laterCapture')
  return paymentDetails.autoCapture ?? autoCapture ?? isUsual
}

/** Creates a payment from its request, before its first transition; initiate and charge add their own fields. */
export const createPayment = (
  request: Request,
  context: OperationContext,
  { provider, ...more }: Pick<Payment, 'transactionType'> & Omit<Partial<Payment>, 'provider'> & Provided,
): NewPayment => {
  const { organizationId, ids, now, arranged, plan, traceparent } = context
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
    autoCapture: isAutoCapture(request, context),
    ...(requestContext?.locale === undefined ? {} : { locale: requestContext.locale }),
    ...(metadata === undefined ? {} : { metadata }),
    ...more,
    captured: 0,
    settled: 0,
    refunded: 0,
    captures: [],
    refunds: [],
    ...(arranged ? { arranged } : {}),
    ...(plan ? { plan } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
  }
}

type Provided = { provider?: Partial<Payment['provider']> }
