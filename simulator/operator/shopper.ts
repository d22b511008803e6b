import type { CodeView, ShopperView } from '../../hosted-pages/port.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { decideAsShopper } from '../operations/shopper.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import type { Payment } from '../payments/payment.ts'
import { bankOf } from '../providers/blik-banks.ts'
import type { BlikCode, ShopperAction, ShopperDecision } from '../providers/provider.ts'
import { Refusal } from '../refusal.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'
import { viewOf } from './shopper-view.ts'

type Parts = { store: Store; clock: Clock; ids: Ids; jobs: Jobs }

/** Who shows a code: a phone, or nobody in particular whose bank keeps shops or does not. */
type Shown = Pick<BlikCode, 'recurring' | 'phoneId'>

/** What a shopper presses who confirms and then closes the window, as it is remembered. */
export const LEAVING = 'approve-and-leave'

/** What a shopper does beside yes, no or nothing: the bank's reason to decline, and no consent to be kept. */
type How = Omit<ShopperDecision, 'action'> & { leaves?: boolean | undefined }

/** What a shopper does on the phone or at the bank: the same for a button of a page and for its REST twin. */
export const createShopper = ({ store, clock, ids, jobs }: Parts) => {
  const look = async (organizationId: string, transactionId: string): Promise<Payment> => {
    await jobs.runDue(organizationId)
    const now = clock.now(organizationId)
    const payment = await store.perform({
      organizationId,
      now,
      needs: { transactionId },
      decide: loaded => ({ result: loaded.payment }),
    })
    if (!payment)
      throw new OperatorError('unknown', `There is no payment ${transactionId} in organization ${organizationId}.`)
    return payment
  }

  const timeOf = (organizationId: string) => ({
    now: clock.now(organizationId),
    rate: clock.setting(organizationId).rate,
  })

  const shownBy = async (organizationId: string, phoneId: string): Promise<Shown> => {
    const phone = await store.phone(organizationId, phoneId)
    if (!phone) throw new OperatorError('unknown', `There is no phone ${phoneId} in organization ${organizationId}.`)
    return { phoneId, recurring: bankOf(phone).keepsShops }
  }

  const view = (payment: Payment): ShopperView => viewOf(payment, timeOf(payment.organizationId))

  return {
    view: async (organizationId: string, transactionId: string): Promise<ShopperView> =>
      view(await look(organizationId, transactionId)),

    /** A fresh code that no other live code of the organization equals (R6). */
    createCode: async (organizationId: string, shown: Shown = {}): Promise<CodeView> => {
      const by = shown.phoneId === undefined ? shown : await shownBy(organizationId, shown.phoneId)
      const now = clock.now(organizationId)
      let code = ids.blikCode()
      while (await store.liveBlikCode(organizationId, code, now)) code = ids.blikCode()
      const made = { codeId: ids.secret(), code, expiresAt: now + LIFETIMES.blikCode }
      await store.addBlikCode(organizationId, { ...made, ...by })
      return { organizationId, ...timeOf(organizationId), ...made, ...phoneOf(by) }
    },

    code: async (organizationId: string, codeId: string): Promise<CodeView | undefined> => {
      const found = await store.blikCodeById(organizationId, codeId)
      if (!found) return undefined
      const { codeId: id, code, expiresAt, transactionId } = found
      const payment = transactionId === undefined ? undefined : view(await look(organizationId, transactionId))
      const made = { codeId: id, code, expiresAt, ...phoneOf(found) }
      return { organizationId, ...timeOf(organizationId), ...made, ...(payment ? { payment } : {}) }
    },

    redirect: async (redirectId: string): Promise<ShopperView | undefined> => {
      const found = await store.paymentByRedirect(redirectId)
      return found && view(await look(found.organizationId, found.transactionId))
    },

    /** Decides, or lets the time run out; what comes too late is refused with the state that stands. */
    act: async (
      organizationId: string,
      transactionId: string,
      action: ShopperAction,
      { leaves, ...how }: How = {},
    ): Promise<ShopperView> => {
      const pressed = leaves && action === 'approve' ? LEAVING : action
      await look(organizationId, transactionId)
      const now = clock.now(organizationId)
      const clickOf = (transactionId: string, action: string) =>
        ({ kind: 'shopper', at: now, transactionId, action, real: clock.real() }) as const
      const decided = store.perform({
        organizationId,
        now,
        needs: { transactionId },
        decide: loaded => {
          if (!loaded.payment) throw new OperatorError('unknown', `There is no payment ${transactionId}.`)
          const change = decideAsShopper(loaded.payment, { action, ...how }, now)
          return { result: change.payment, save: { change, deed: clickOf(transactionId, pressed) } }
        },
      })
      const payment = await decided.catch(async error => {
        if (isTooLate(error)) await store.addDeed(organizationId, { ...clickOf(transactionId, pressed), late: true })
        throw error
      })
      return view(payment)
    },
  }
}

export type Shopper = ReturnType<typeof createShopper>

/** Whether the shopper's decision came too late, or twice. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof Refusal && error.refusal === 'TRANSITION_NOT_ALLOWED'

const phoneOf = ({ phoneId }: Shown) => (phoneId === undefined ? {} : { phoneId })
