import { supports } from '../payments/capabilities.ts'
import type { InitiateRequest, Payment } from '../payments/payment.ts'
import { NEVER, noProblem, record, unchanged } from '../payments/record.ts'
import { providerOf, statusInfoOf, withCode } from '../providers/providers.ts'
import { ensure } from '../refusal.ts'
import { idsOf, metadataOf, providerDetailsOf, statusOf } from './answers.ts'
import type { Context, Operation } from './operation.ts'

/** Starts a payment with the shopper present (3 sequence 1, E4); the provider answers at once, the shopper later. */
export const initiate: Operation<InitiateRequest> = (request, context) => {
  const { accountIds, blikCode, now } = context
  const provider = providerOf(request.providerDetails.providerId)
  ensure(
    accountIds.includes(request.processingAccountId),
    'FORBIDDEN',
    'The processing account is not one of this organization.',
  )
  ensure(
    request.transactionType === 'ONE_TIME',
    'OPERATION_UNSUPPORTED',
    `${provider.id} ${request.transactionType} is not supported.`,
  )
  ensure(
    capturesItself(request) || supports(provider.id, 'laterCapture'),
    'OPERATION_UNSUPPORTED',
    `${provider.id} captures with the payment: leave autoCapture out or send true.`,
  )
  const answer = provider.initiate({ code: blikCode, now })
  const pending = answer.outcome === 'pending'
  const started = newPayment(request, context)
  const change = record(unchanged(started), {
    cause: 'initiate',
    outcome: answer.outcome,
    at: now,
    statusInfo: statusInfoOf(provider.id, answer, 'Awaiting user consent'),
    deadlines: pending ? [{ name: 'shopper-window', dueAt: now + provider.windowMilliseconds }] : [],
    ...withCode(started, answer),
  })
  const { payment } = change
  return {
    answer: {
      ...idsOf(payment),
      providerDetails: providerDetailsOf(payment, context),
      ...metadataOf(payment),
      ...statusOf(payment),
    },
    change,
    ...(pending && blikCode ? { usedCodeId: blikCode.codeId } : {}),
  }
}

/** Whether finalize captures too: read in both places where the document may mean it (D-02). */
const capturesItself = ({ paymentDetails, autoCapture }: InitiateRequest): boolean =>
  paymentDetails.autoCapture ?? autoCapture ?? true

const newPayment = (request: InitiateRequest, { organizationId, ids, now }: Context): Payment => {
  const { paymentDetails, payerDetails, requestContext, returnUrl, metadata } = request
  const provider = providerOf(request.providerDetails.providerId)
  return {
    transactionId: ids.uuid(),
    organizationId,
    processingAccountId: request.processingAccountId,
    clientTransactionId: request.clientTransactionId,
    transactionType: request.transactionType,
    providerId: provider.id,
    provider: {
      providerTransactionId: ids.uuid(),
      registeredAt: now,
      expiresAt: now + provider.windowMilliseconds,
      ...(provider.redirects ? { redirectId: ids.secret() } : {}),
    },
    amount: paymentDetails.amount ?? 0,
    currency: paymentDetails.currency,
    country: paymentDetails.country,
    description: paymentDetails.description,
    autoCapture: capturesItself(request),
    ...(payerDetails.payerId === undefined ? {} : { payerId: payerDetails.payerId }),
    ...(returnUrl === undefined ? {} : { returnUrl }),
    ...(requestContext?.locale === undefined ? {} : { locale: requestContext.locale }),
    ...(metadata === undefined ? {} : { metadata }),
    state: 'DECLINED',
    statusInfo: noProblem('Not started'),
    captured: 0,
    settled: 0,
    refunded: 0,
    captures: [],
    refunds: [],
    createdAt: NEVER,
  }
}
