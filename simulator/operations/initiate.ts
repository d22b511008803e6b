import type { InitiateRequest } from '../payments/payment.ts'
import { record, unchanged } from '../payments/record.ts'
import { providerOf, statusInfoOf, withCode } from '../providers/providers.ts'
import { startedAnswer } from './answers.ts'
import { ensureCarried } from './carried.ts'
import { newPayment } from './new-payment.ts'
import type { Operation } from './operation.ts'

/** Starts a payment with the shopper present (3 sequence 1, E4); the provider answers at once, the shopper later. */
export const initiate: Operation<InitiateRequest> = (request, context) => {
  const { blikCode, now } = context
  const { transactionType } = request
  const provider = providerOf(request.providerDetails.providerId)
  ensureCarried(request, context)
  const windowMilliseconds = provider.windowMilliseconds(context.rules)
  const answer = context.ask(
    provider.id,
    provider.initiate({ code: blikCode, transactionType, now, windowMilliseconds }),
  )
  const pending = answer.outcome === 'pending'
  const { payerDetails, returnUrl } = request
  const started = newPayment(request, context, {
    transactionType,
    provider: {
      expiresAt: now + windowMilliseconds,
      ...(provider.redirects ? { redirectId: context.ids.secret() } : {}),
    },
    ...(payerDetails.payerId === undefined ? {} : { payerId: payerDetails.payerId }),
    ...(returnUrl === undefined ? {} : { returnUrl }),
  })
  const change = record(unchanged(started), {
    cause: 'initiate',
    outcome: answer.outcome,
    at: now,
    statusInfo: statusInfoOf(provider.id, answer, 'Awaiting user consent'),
    deadlines: pending ? [{ name: 'shopper-window', dueAt: now + windowMilliseconds }] : [],
    ...withCode(started, answer),
  })
  const { payment } = change
  return {
    answer: startedAnswer(payment, context),
    change,
    ...(pending && blikCode ? { usedCodeId: blikCode.codeId } : {}),
  }
}
