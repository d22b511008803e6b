import { type ProviderCode, providerCode } from '../../contracts/protocol/provider-codes.ts'
import { isoTime } from '../clock.ts'
import { STATES } from '../payments/lifecycle.ts'
import type { Movement, Payment, PaymentEvent } from '../payments/payment.ts'
import { noProblem } from '../payments/record.ts'
import { declinedInfo } from '../providers/providers.ts'
import { UNEXPLAINED } from '../scenarios/mock-answer.ts'
import type { Context } from './operation.ts'

/** Status word and statusInfo of a payment (D-05, D-06). */
export const statusOf = (payment: Payment) => ({ status: STATES[payment.state].status, statusInfo: payment.statusInfo })

/** The identifiers that every answer about a payment begins with (2.6). */
export const idsOf = ({ processingAccountId, transactionId, clientTransactionId }: Payment) => ({
  processingAccountId,
  transactionId,
  clientTransactionId,
})

/** The provider's side of a payment; the redirect address follows the caller. */
export const providerDetailsOf = (payment: Payment, { pagesUrl }: Pick<Context, 'pagesUrl'>) => {
  const { providerTransactionId, redirectId, registeredAt, expiresAt, code } = payment.provider
  const { redirectUrl = redirectId && `${pagesUrl}/iris/${redirectId}`, qrCode = redirectUrl } = payment.provider
  return {
    providerId: payment.providerId,
    providerTransactionId,
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(qrCode === undefined ? {} : { qrCode }),
    registeredAt: isoTime(registeredAt),
    ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
    ...providerStatusOf(payment, code),
  }
}

/** The provider's own code and words, where it gave one (7.5). */
const providerStatusOf = ({ providerId }: Payment, code: ProviderCode | undefined) =>
  code ? { providerStatusInfo: { reasonCode: code, message: providerCode(providerId, code).meaning } } : {}

export const metadataOf = ({ metadata }: Payment) => (metadata ? { metadata } : {})

/** The payer, with the token of a mandate that this payment made (D-62). */
export const payerDetailsOf = ({ payerId, paymentToken }: Payment) => ({
  payerDetails: {
    ...(payerId === undefined ? {} : { payerId }),
    ...(paymentToken === undefined ? {} : { paymentToken }),
  },
})

export const paymentDetailsOf = ({ amount, currency, country, description, autoCapture }: Payment) => ({
  paymentDetails: { ...(amount > 0 ? { amount } : {}), currency, country, description, autoCapture },
})

/** What initiate and charge answer (D-49, D-64). */
export const startedAnswer = (payment: Payment, context: Pick<Context, 'pagesUrl'>) => ({
  ...idsOf(payment),
  providerDetails: providerDetailsOf(payment, context),
  ...metadataOf(payment),
  ...statusOf(payment),
})

/** The lifecycle object of ours, unless it is switched off (D-04). */
export const lifecycleOf = ({ state }: { state: Payment['state'] }, { rules }: Pick<Context, 'rules'>) =>
  rules.showLifecycle ? { lifecycle: { state, stage: STATES[state].stage, final: STATES[state].final } } : {}

/** One capture or refund as the event history lists it. */
export const movementOf = (payment: Payment, movement: Movement) => ({
  transactionId: movement.transactionId,
  clientTransactionId: movement.clientTransactionId,
  paymentDetails: {
    amount: movement.amount,
    ...(movement.description === undefined ? {} : { description: movement.description }),
  },
  providerDetails: {
    providerId: payment.providerId,
    providerTransactionId: payment.provider.providerTransactionId,
    ...providerStatusOf(payment, movement.declined === true ? undefined : movement.declined),
  },
  ...movementStatusOf(payment, movement),
  timestamp: isoTime(movement.at),
})

const movementStatusOf = ({ providerId }: Payment, { declined, accepted, settled, statusInfo }: Movement) => {
  if (declined !== undefined) {
    const known = declined === true ? UNEXPLAINED : declinedInfo(providerId, declined)
    return { status: 'DECLINED', statusInfo: statusInfo ?? known }
  }
  if (accepted) return { status: 'ACCEPTED', statusInfo: statusInfo ?? noProblem('Accepted') }
  return { status: 'APPROVED', statusInfo: noProblem(settled ? 'Settled' : 'Approved') }
}

/** The ordered story of a payment (6), ours beside the contract's fields (D-04). */
export const timelineOf = (events: readonly PaymentEvent[], context: Context) =>
  context.rules.showLifecycle
    ? {
        timeline: events.map(event => ({
          at: isoTime(event.at),
          type: event.type,
          status: STATES[event.state].status,
          statusInfo: event.statusInfo,
          ...(event.amount === undefined ? {} : { amount: event.amount }),
          ...lifecycleOf(event, context),
        })),
      }
    : {}
