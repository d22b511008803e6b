import { DECLINES, type DeclineName } from '../../contracts/protocol/decline-reasons.ts'
import { NO_PROBLEM } from '../../contracts/protocol/reason-codes.ts'
import type { Payment } from '../payments/payment.ts'

/** Reading of an organization's clock: epoch milliseconds, and how many times as fast as real time the clock runs. */
type ClockTime = { now: number; rate: number }

/** A payment as the shopper's bank app shows it, on pages and over control. */
export type ShopperView = ReturnType<typeof toShopperView>

/**
 * Converts a payment to what the shopper's bank app shows: `confirming` while the bank works after the approval,
 * `released` where the merchant canceled the payment later, or did not collect it before it expired (R2, R3).
 */
export const toShopperView = (payment: Payment, time: ClockTime) => ({
  organizationId: payment.organizationId,
  transactionId: payment.transactionId,
  payee: toDisplayName(payment.organizationId),
  amount: payment.amount,
  currency: payment.currency,
  description: payment.description,
  transactionType: payment.transactionType,
  outcome: outcomeOf(payment),
  createdAt: payment.createdAt,
  refunded: payment.refunded,
  expiresAt: payment.provider.expiresAt ?? payment.createdAt,
  ...time,
  ...(payment.state === 'AWAITING_SHOPPER' && payment.confirmedAt !== undefined ? { confirming: true } : {}),
  ...releaseOf(payment),
  ...causeOf(payment),
  ...(payment.refusesKeeping ? { keeps: false } : {}),
  ...(payment.paymentToken === undefined ? {} : { paymentToken: payment.paymentToken }),
  ...(payment.returnUrl === undefined ? {} : { returnUrl: payment.returnUrl }),
  ...(payment.locale === undefined ? {} : { locale: payment.locale }),
})

/** Returns a payment's outcome for the shopper: the decision, not what the merchant did with the payment afterwards. */
const outcomeOf = (payment: Payment): 'waiting' | 'approved' | 'declined' | 'expired' | 'canceled' => {
  const { state, provider, statusInfo, calledOff } = payment
  if (state === 'AWAITING_SHOPPER') return 'waiting'
  if (calledOff) return 'canceled'
  if (state === 'DECLINED' || (state === 'CANCELED' && provider.code !== undefined)) return 'declined'
  return state === 'EXPIRED' && provider.code !== undefined && statusInfo.reasonCode !== NO_PROBLEM
    ? 'expired'
    : 'approved'
}

/** Returns how approved money stayed with the shopper; empty where it did not. */
const releaseOf = (payment: Payment): { released?: 'canceled' | 'uncollected' } => {
  if (outcomeOf(payment) !== 'approved') return {}
  if (payment.state === 'CANCELED') return { released: 'canceled' }
  return payment.state === 'EXPIRED' ? { released: 'uncollected' } : {}
}

/** Returns why the bank declined a payment; undefined if it did not (D-104). */
const causeOf = ({ state, statusInfo, provider }: Payment): { cause?: string } => {
  if (state !== 'DECLINED' || provider.code !== undefined) return {}
  const names = Object.keys(DECLINES) as DeclineName[]
  return { cause: names.find(name => DECLINES[name].reasonCode === statusInfo.reasonCode) ?? 'DECLINED_BY_BANK' }
}

/** Converts the id of an organization to the name that shoppers see: `demo-merchant` to Demo merchant. */
export const toDisplayName = (organizationId: string): string => {
  const words = organizationId.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
