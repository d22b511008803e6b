import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Ids } from '../support/ids.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import type { Payment } from './payment.ts'

/** A mandate: a payer's consent to later payments, for one organization, account and provider (1, D-62). */
export type Mandate = {
  /** Unguessable token with which the account may charge. */
  paymentToken: string
  organizationId: string
  processingAccountId: string
  payerId: string
  providerId: ProviderId
  createdAt: number
  expiresAt: number
  revokedAt?: number
  /** The simulated phone whose bank app lists this mandate, if any. */
  phoneId?: string
  /** The scenario that a magic value selected for its payment, if any: its step `charge` applies to its charges. */
  scenario?: string
}

/** Creates the mandate of a payment that the shopper has consented to; undefined if it asks for none. */
export const createMandate = (payment: Payment, ids: Pick<Ids, 'secret'>, now: number): Mandate | undefined => {
  const { transactionType, organizationId, processingAccountId, payerId, providerId, refusesKeeping } = payment
  if (transactionType === 'ONE_TIME' || payerId === undefined || refusesKeeping) return undefined
  const { phoneId } = payment.provider
  const scenario = payment.arranged?.by === 'mock' ? undefined : payment.arranged?.scenario
  const whose = { organizationId, processingAccountId, payerId, providerId }
  const revoked = payment.arranged?.mandate && { revokedAt: now + payment.arranged.mandate.revokedAfter }
  const times = { createdAt: now, expiresAt: now + LIFETIMES.mandate, ...revoked }
  return {
    paymentToken: createPaymentToken(ids),
    ...whose,
    ...times,
    ...(phoneId === undefined ? {} : { phoneId }),
    ...(scenario === undefined ? {} : { scenario }),
  }
}

/** How many secrets of 22 characters are in each of the three parts of a token, which is as long as a JWT of the field. */
const TOKEN_PARTS = [3, 14, 4]

/** Creates the token of a mandate: opaque, and long enough to be cut by a column that is too short (D-62). */
const createPaymentToken = (ids: Pick<Ids, 'secret'>): string =>
  TOKEN_PARTS.map(count => Array.from({ length: count }, ids.secret).join('')).join('.')

export type MandateStatus = 'valid' | 'revoked' | 'expired'

/** Returns the status of a mandate at an instant; `revokedAt` may lie in the future, set by a scenario. */
export const mandateStatusAt = ({ revokedAt, expiresAt }: Mandate, now: number): MandateStatus => {
  if (revokedAt !== undefined && revokedAt <= now) return 'revoked'
  return now < expiresAt ? 'valid' : 'expired'
}

/** Returns why a mandate forbids a charge: it is missing, revoked, expired or of another payer; else undefined (D-63). */
export const mandateFault = (
  mandate: Mandate | undefined,
  payerId: string | undefined,
  now: number,
): string | undefined => {
  const theirs = mandate && (payerId === undefined || payerId === mandate.payerId)
  if (!theirs) return 'There is no such mandate: let the payer consent to one first.'
  const standing = mandateStatusAt(mandate, now)
  return standing === 'valid' ? undefined : `The mandate is ${standing}: let the payer consent to a new one.`
}
