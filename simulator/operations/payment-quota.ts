import { type OperationName, startsPayment } from '../../contracts/operations.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { MINUTE, SECOND } from '../support/duration.ts'
import { Refusal } from '../support/refusal.ts'

/** The quota of payments of each organization (`--max-payments`). */
export type PaymentQuota = {
  /** Takes the place of a payment that a call may make; undefined where the call makes none, or there is no limit. */
  takePlace(organizationId: string, operation: OperationName): Promise<PaymentPlace | undefined>
  /** Forgets the count of an organization whose payments were replaced or removed, or those of all. */
  forget(organizationId?: string): void
}

/** The place of a payment, or the refusal of one too many; `giveBack` is for calls that have made none. */
export type PaymentPlace = { refusal?: Refusal; giveBack(): void }

type Parts = { store: Pick<Store, 'paymentCounts'>; clock: Clock; most: number | undefined }

/**
 * Creates the quota of payments of each organization (`--max-payments`). Payments are counted in the store once in a
 * minute, and again once the rest of that count is used up, at most once in a second.
 */
export const createPaymentQuota = ({ store, clock, most }: Parts): PaymentQuota => {
  const counted = new Map<string, { rest: Promise<{ left: number }>; at: number }>()
  if (most === undefined) return { takePlace: async () => undefined, forget: () => undefined }
  const count = async (organizationId: string) => {
    const all = Number.MAX_SAFE_INTEGER
    const counts = await store.paymentCounts(organizationId, { from: 0, to: all, width: all })
    return { left: most - counts.reduce((sum, { count }) => sum + count, 0) }
  }
  /** Calls that come together share one count, of which each takes its part. */
  const restOf = async (organizationId: string): Promise<{ left: number }> => {
    const now = clock.real()
    const known = counted.get(organizationId)
    if (known && now - known.at < ((await known.rest).left > 0 ? MINUTE : SECOND)) return known.rest
    if (counted.get(organizationId) !== known) return restOf(organizationId) // another call counts meanwhile
    const rest = count(organizationId)
    counted.set(organizationId, { rest, at: now })
    rest.catch(() => counted.delete(organizationId))
    return rest
  }
  const takePlace: PaymentQuota['takePlace'] = async (organizationId, operation) => {
    if (!startsPayment(operation)) return undefined
    const rest = await restOf(organizationId)
    if (rest.left > 0) {
      rest.left -= 1
      const giveBack = () => {
        rest.left += 1
      }
      return { giveBack }
    }
    const sentence = `This organization has ${most} payments, as many as --max-payments permits: reset it, or ask whoever runs the sandbox for more.`
    const refusal = new Refusal('RATE_LIMITED', 'operation', sentence, { retryAfter: MINUTE / SECOND })
    return { refusal, giveBack: () => undefined }
  }
  const forget: PaymentQuota['forget'] = organizationId =>
    organizationId === undefined ? counted.clear() : void counted.delete(organizationId)
  return { takePlace, forget }
}
