import type { Payment } from '../payments/payment.ts'
import type { BlikCode } from '../providers/issued-blik-code.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { type ShopperView, toShopperView } from './bank-app-payment-view.ts'
import { PHONE_MANDATES } from './phone-registry.ts'
import type { ShopperActions } from './shopper-actions.ts'

type Parts = { store: Store; clock: Clock; shopper: Pick<ShopperActions, 'code'> }

/** A payment on a phone, with the code that it was pushed by, if any. */
type PhonePayment = { codeId?: string; payment: ShopperView }

/** Codes of a phone that are looked at, kept payers whose charges are, and payments that are shown. */
const LIMITS = { codes: 8, payers: 4, payments: 6 }

/**
 * Creates the reader of what a phone remembers on the clock of its organization: the newest code that no shop has used, and the
 * last payments, those that a shop charged under a mandate of the phone among them.
 */
export const createPhoneMemory = ({ store, clock, shopper }: Parts) => {
  const pushed = async (organizationId: string, codes: readonly BlikCode[]): Promise<PhonePayment[]> => {
    const used = codes.filter(({ transactionId }) => transactionId !== undefined)
    const found = await Promise.all(used.map(({ codeId }) => codeWithPayment(organizationId, codeId)))
    return found.flat()
  }

  /** Empty for a payment that retention has deleted. */
  const codeWithPayment = async (organizationId: string, codeId: string): Promise<PhonePayment[]> => {
    try {
      const { payment } = (await shopper.code(organizationId, codeId)) ?? {}
      return payment ? [{ codeId, payment }] : []
    } catch (error) {
      if (error instanceof ControlError && error.kind === 'unknown') return []
      throw error
    }
  }

  const charged = async (organizationId: string, phoneId: string): Promise<PhonePayment[]> => {
    const time = { now: clock.now(organizationId), rate: clock.setting(organizationId).rate }
    const mandates = await store.mandatesOfPhone(organizationId, phoneId, PHONE_MANDATES)
    const payers = new Map(mandates.map(one => [`${one.processingAccountId} ${one.payerId}`, one]))
    const pages = [...payers.values()].slice(0, LIMITS.payers).map(({ payerId, processingAccountId, providerId }) =>
      store.transact({
        organizationId,
        now: time.now,
        needs: { payments: { payerId, accountId: processingAccountId, providerId, limit: LIMITS.payments } },
        decide: ({ paymentPage }) => ({ result: paymentPage?.payments ?? [] }),
      }),
    )
    const found = (await Promise.all(pages)).flat()
    return found.filter(isCharge).map(payment => ({ payment: toShopperView(payment, time) }))
  }

  return {
    of: async (organizationId: string, phoneId: string) => {
      const now = clock.now(organizationId)
      const codes = await store.blikCodesOfPhone(organizationId, phoneId, LIMITS.codes)
      const open = codes.find(({ transactionId, expiresAt }) => transactionId === undefined && now < expiresAt)
      const payments = [...(await pushed(organizationId, codes)), ...(await charged(organizationId, phoneId))]
      const openCode = open && (await shopper.code(organizationId, open.codeId))
      return {
        ...(openCode && { openCode }),
        payments: payments.sort((a, b) => b.payment.createdAt - a.payment.createdAt).slice(0, LIMITS.payments),
      }
    },
  }
}

/** Whether a payment came under a mandate: no shopper was asked, and no phone had it pushed. */
const isCharge = ({ transactionType, provider }: Payment): boolean =>
  transactionType === 'RECURRING' && provider.phoneId === undefined && provider.expiresAt === undefined
