import { NO_PROBLEM } from '../../contracts/protocol/reason-codes.ts'
import type { CodeView, ShopperView } from '../../hosted-pages/port.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { decideAsShopper } from '../operations/shopper.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import type { Payment } from '../payments/payment.ts'
import type { BlikCode, ShopperAction } from '../providers/provider.ts'
import { Refusal } from '../refusal.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

type Parts = { store: Store; clock: Clock; ids: Ids; jobs: Jobs }

/** The bank whose app shows a code. */
type Bank = Pick<BlikCode, 'recurring'>

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

  const view = (payment: Payment): ShopperView => viewOf(payment, timeOf(payment.organizationId))

  return {
    view: async (organizationId: string, transactionId: string): Promise<ShopperView> =>
      view(await look(organizationId, transactionId)),

    /** A fresh code that no other live code of the organization equals (R6). */
    createCode: async (organizationId: string, bank: Bank = {}): Promise<CodeView> => {
      const now = clock.now(organizationId)
      let code = ids.blikCode()
      while (await store.liveBlikCode(organizationId, code, now)) code = ids.blikCode()
      const made = { codeId: ids.secret(), code, expiresAt: now + LIFETIMES.blikCode }
      await store.addBlikCode(organizationId, { ...made, ...bank })
      return { organizationId, ...timeOf(organizationId), ...made }
    },

    code: async (organizationId: string, codeId: string): Promise<CodeView | undefined> => {
      const found = await store.blikCodeById(organizationId, codeId)
      if (!found) return undefined
      const { codeId: id, code, expiresAt, transactionId } = found
      const payment = transactionId === undefined ? undefined : view(await look(organizationId, transactionId))
      return { organizationId, ...timeOf(organizationId), codeId: id, code, expiresAt, ...(payment ? { payment } : {}) }
    },

    redirect: async (redirectId: string): Promise<ShopperView | undefined> => {
      const found = await store.paymentByRedirect(redirectId)
      return found && view(await look(found.organizationId, found.transactionId))
    },

    /** Approves or declines; a decision that comes too late is refused with the state that stands. */
    act: async (organizationId: string, transactionId: string, action: ShopperAction): Promise<ShopperView> => {
      await look(organizationId, transactionId)
      const now = clock.now(organizationId)
      const payment = await store.perform({
        organizationId,
        now,
        needs: { transactionId },
        decide: loaded => {
          if (!loaded.payment) throw new OperatorError('unknown', `There is no payment ${transactionId}.`)
          const change = decideAsShopper(loaded.payment, action, now)
          return { result: change.payment, save: { change } }
        },
      })
      return view(payment)
    },
  }
}

export type Shopper = ReturnType<typeof createShopper>

/** Whether the shopper's decision came too late, or twice. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof Refusal && error.refusal === 'TRANSITION_NOT_ALLOWED'

const viewOf = (payment: Payment, time: Pick<ShopperView, 'now' | 'rate'>): ShopperView => ({
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

/** An organization's id as people read it: `demo-merchant` as Demo merchant. */
const displayName = (organizationId: string): string => {
  const words = organizationId.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
