import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Ids } from '../ids.ts'
import { ensure } from '../refusal.ts'
import { LIFETIMES } from './deadlines.ts'
import type { Payment } from './payment.ts'

/** A payer's consent to payments without a shopper: of one organization, account, payer and provider (1, D-62). */
export type Mandate = {
  /** Unguessable: whoever of the account holds it may charge. */
  paymentToken: string
  organizationId: string
  processingAccountId: string
  payerId: string
  providerId: ProviderId
  createdAt: number
  expiresAt: number
  revokedAt?: number
  /** The phone that keeps the shop, where somebody holds one. */
  phoneId?: string
}

/** The mandate that a completed consent leaves behind, or undefined for a payment that keeps nobody. */
export const mandateOf = (payment: Payment, ids: Pick<Ids, 'secret'>, now: number): Mandate | undefined => {
  const { transactionType, organizationId, processingAccountId, payerId, providerId, refusesKeeping } = payment
  if (transactionType === 'ONE_TIME' || payerId === undefined || refusesKeeping) return undefined
  const { phoneId } = payment.provider
  const whose = { organizationId, processingAccountId, payerId, providerId }
  const revoked = payment.arranged?.mandate && { revokedAt: now + payment.arranged.mandate.revokedAfter }
  const times = { createdAt: now, expiresAt: now + LIFETIMES.mandate, ...revoked }
  return { paymentToken: ids.secret(), ...whose, ...times, ...(phoneId === undefined ? {} : { phoneId }) }
}

export type Standing = 'valid' | 'revoked' | 'expired'

/** How a mandate stands at an instant; what was revoked stays so, and a scenario may have set the time of it. */
export const standingOf = ({ revokedAt, expiresAt }: Mandate, now: number): Standing => {
  if (revokedAt !== undefined && revokedAt <= now) return 'revoked'
  return now < expiresAt ? 'valid' : 'expired'
}

/** Refuses what is not a valid mandate and, where a payer is named, theirs (D-63). */
export function ensureValid(
  mandate: Mandate | undefined,
  payerId: string | undefined,
  now: number,
): asserts mandate is Mandate {
  const theirs = mandate && (payerId === undefined || payerId === mandate.payerId)
  ensure(theirs, 'MANDATE_REFUSED', 'There is no such mandate: let the payer consent to one first.')
  const standing = standingOf(mandate, now)
  ensure(standing === 'valid', 'MANDATE_REFUSED', `The mandate is ${standing}: let the payer consent to a new one.`)
}
