import type { Deadline, InitiateRequest } from '../payments/payment.ts'
import { record, unchanged } from '../payments/record.ts'
import { providerOf, statusInfoOf, withTold } from '../providers/providers.ts'
import { startedAnswer } from './answers.ts'
import { ensureCarried } from './carried.ts'
import { newPayment } from './new-payment.ts'
import type { Context, Operation } from './operation.ts'

/** Starts a payment with the shopper present (3 sequence 1, E4); the provider answers at once, the shopper later. */
export const initiate: Operation<InitiateRequest> = (request, context) => {
  const { blikCode, now, mocked } = context
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
      ...(provider.redirects && !mocked ? { redirectId: context.ids.orderedSecret(now) } : {}),
      ...(pending && blikCode?.phoneId !== undefined && !mocked ? { phoneId: blikCode.phoneId } : {}),
    },
    ...(payerDetails.payerId === undefined ? {} : { payerId: payerDetails.payerId }),
    ...(returnUrl === undefined ? {} : { returnUrl }),
  })
  const change = record(unchanged(started), {
    cause: 'initiate',
    outcome: answer.outcome,
    at: now,
    statusInfo: statusInfoOf(provider.id, answer, pending ? 'Awaiting user consent' : 'Accepted'),
    deadlines: pending ? [{ name: 'shopper-window', dueAt: now + windowMilliseconds }, ...actOf(context)] : [],
    ...withTold(started, answer),
  })
  const { payment } = change
  return {
    answer: startedAnswer(payment, context),
    change,
    ...(pending && blikCode && !mocked ? { usedCodeId: blikCode.codeId } : {}),
  }
}

/** A shopper who is only scripted acts by the clock (E3); one who never decides has no such deadline. */
const actOf = ({ mocked, arranged, now, rules }: Context): Deadline[] =>
  mocked && arranged?.shopper && arranged.shopper.outcome !== 'lapsed'
    ? [{ name: 'shopper-act', dueAt: now + (arranged.shopper.after ?? rules.settleAfter) }]
    : []
