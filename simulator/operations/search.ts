import type { components } from '../../contracts/openapi.gen.ts'
import { instantOf, isoTime } from '../clock.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import type { Payment } from '../payments/payment.ts'
import { ensure } from '../refusal.ts'
import type { PaymentQuery } from '../store/port.ts'
import { idsOf, lifecycleOf, metadataOf, statusOf } from './answers.ts'
import type { Context, Reading } from './operation.ts'

type SearchRequest = components['schemas']['SearchRequest']

const USUAL_LIMIT = 20

/** Finds payments of the caller's organization, newest first, page by page (4, D-73). */
export const search: Reading<SearchRequest> = {
  needs: (request, { now }) => ({ payments: queryOf(request, now) }),
  decide: (_request, context) => {
    const { found } = context
    ensure(found, 'INVALID_INPUT', 'The cursor is not one that a search gave: begin again without it.', {
      cursor: 'is not one that a search gave',
    })
    return {
      answer: {
        payments: found.payments.map(payment => foundPayment(payment, context)),
        ...(found.next === undefined ? {} : { nextCursor: cursorOf(found.next) }),
      },
    }
  },
}

const queryOf = (request: SearchRequest, now: number): PaymentQuery => ({
  accountId: request.processingAccountId,
  clientTransactionId: request.clientTransactionId,
  payerId: request.payerId,
  providerId: request.providerId,
  status: request.status,
  amountFrom: request.amountFrom,
  amountTo: request.amountTo,
  createdFrom: createdFrom(request, now),
  createdTo: request.createdTo === undefined ? undefined : instantOf(request.createdTo),
  limit: request.limit ?? USUAL_LIMIT,
  after: request.cursor === undefined ? undefined : placeOf(request.cursor),
})

/** A look-up by the merchant's own reference reaches back a year and no further (8, D-74). */
const createdFrom = (request: SearchRequest, now: number): number | undefined => {
  const asked = request.createdFrom === undefined ? undefined : instantOf(request.createdFrom)
  if (request.clientTransactionId === undefined) return asked
  return Math.max(asked ?? 0, now - LIFETIMES.reference)
}

const foundPayment = (payment: Payment, context: Context) => ({
  ...idsOf(payment),
  providerDetails: { providerId: payment.providerId },
  paymentDetails: { ...(payment.amount > 0 ? { amount: payment.amount } : {}), currency: payment.currency },
  createdAt: isoTime(payment.createdAt),
  ...metadataOf(payment),
  ...statusOf(payment),
  ...lifecycleOf(payment, context),
})

/** Where a page ended, in a form that nobody is tempted to make up. */
const cursorOf = (transactionId: string): string => Buffer.from(transactionId).toString('base64url')
const placeOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString()
