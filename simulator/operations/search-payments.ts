import type { components } from '../../contracts/openapi.gen.ts'
import type { Payment } from '../payments/payment.ts'
import type { PaymentQuery } from '../store/unit-of-work.ts'
import { isoTime, parseInstant } from '../support/clock.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import { ensure } from '../support/refusal.ts'
import type { OperationContext, QueryOperation } from './operation-types.ts'
import { toIdFields, toLifecycleField, toMetadataField, toStatusFields } from './response-bodies.ts'

type SearchRequest = components['schemas']['SearchRequest']

const DEFAULT_LIMIT = 20

/**
 * Definition of operation `search`, which finds payments of the caller's organization, newest first, with a cursor (4,
 * D-73).
 */
export const searchPayments: QueryOperation<SearchRequest> = {
  needs: (request, { now, rules }) => ({
    payments: { ...queryOf(request, now), oldestFirst: rules.choices['D-73'] === 'oldest-first' },
  }),
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
  createdTo: request.createdTo === undefined ? undefined : parseInstant(request.createdTo),
  limit: request.limit ?? DEFAULT_LIMIT,
  after: request.cursor === undefined ? undefined : decodeCursor(request.cursor),
})

/** Returns the earliest creation time of a search: by clientTransactionId at most one year back (8, D-74). */
const createdFrom = (request: SearchRequest, now: number): number | undefined => {
  const asked = request.createdFrom === undefined ? undefined : parseInstant(request.createdFrom)
  if (request.clientTransactionId === undefined) return asked
  return Math.max(asked ?? 0, now - LIFETIMES.reference)
}

const foundPayment = (payment: Payment, context: OperationContext) => ({
  ...toIdFields(payment),
  providerDetails: { providerId: payment.providerId },
  paymentDetails: { ...(payment.amount > 0 ? { amount: payment.amount } : {}), currency: payment.currency },
  createdAt: isoTime(payment.createdAt),
  ...toMetadataField(payment),
  ...toStatusFields(payment),
  ...toLifecycleField(payment, context),
})

/** Encodes the last transactionId of a page as an opaque cursor. */
const cursorOf = (transactionId: string): string => Buffer.from(transactionId).toString('base64url')
const decodeCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString()
