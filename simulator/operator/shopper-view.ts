import { DECLINES, type DeclineName } from '../../contracts/protocol/declines.ts'
import { NO_PROBLEM } from '../../contracts/protocol/reason-codes.ts'
import type { ShopperView } from '../../hosted-pages/port.ts'
import type { Payment } from '../payments/payment.ts'

/** A payment as the shopper's bank shows it. */
export const viewOf = (payment: Payment, time: Pick<ShopperView, 'now' | 'rate'>): ShopperView => ({
  organizationId: payment.organizationId,
  transactionId: payment.transactionId,
  payee: displayName(payment.organizationId),
  amount: payment.amount,
  currency: payment.currency,
  description: payment.description,
  transactionType: payment.transactionType,
  outcome: outcomeOf(payment),
  expiresAt: payment.provider.expiresAt ?? payment.createdAt,
  ...time,
  ...(payment.state === 'AWAITING_SHOPPER' && payment.confirmedAt !== undefined ? { confirming: true } : {}),
  ...causeOf(payment),
  ...(payment.refusesKeeping ? { keeps: false } : {}),
  ...(payment.returnUrl === undefined ? {} : { returnUrl: payment.returnUrl }),
  ...(payment.locale === undefined ? {} : { locale: payment.locale }),
})

/** What the shopper's side knows: its own decision, not what became of the payment afterwards. */
const outcomeOf = ({ state, provider, statusInfo }: Payment): ShopperView['outcome'] => {
  if (state === 'AWAITING_SHOPPER') return 'waiting'
  if (state === 'DECLINED') return 'declined'
  return state === 'EXPIRED' && provider.code !== undefined && statusInfo.reasonCode !== NO_PROBLEM
    ? 'expired'
    : 'approved'
}

/** Why the bank declined, where it was the bank (D-104). */
const causeOf = ({ state, statusInfo, provider }: Payment): Pick<ShopperView, 'cause'> => {
  if (state !== 'DECLINED' || provider.code !== undefined) return {}
  const names = Object.keys(DECLINES) as DeclineName[]
  return { cause: names.find(name => DECLINES[name].reasonCode === statusInfo.reasonCode) ?? 'DECLINED_BY_BANK' }
}

/** An organization's id as people read it: `demo-merchant` as Demo merchant. */
export const displayName = (organizationId: string): string => {
  const words = organizationId.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
