import { decideAfterDueJobs } from '../jobs/decide-after-due-jobs.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import { applyShopperDecision } from '../operations/apply-shopper-decision.ts'
import type { RulesOf } from '../operations/operation-types.ts'
import type { Payment } from '../payments/payment.ts'
import { bankOfPhone } from '../providers/blik-banks.ts'
import type { BlikCode } from '../providers/issued-blik-code.ts'
import type { ShopperAction, ShopperDecision } from '../providers/shopper-decision.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { Ids } from '../support/ids.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import { Refusal } from '../support/refusal.ts'
import { type ShopperView, toShopperView } from './bank-app-payment-view.ts'

type Parts = { store: Store; clock: Clock; ids: Ids; jobs: JobScheduler; rulesOf: RulesOf }

/** Codes that are drawn for one that is free: with half of the million in use, one call in a thousand finds none. */
const MOST_DRAWS = 10
/** Valid codes of one phone at most: whoever has its address makes them. */
const MOST_CODES_OF_PHONE = 100

/** Holder of a BLIK code: a phone, or no phone but a bank that keeps mandates or does not. */
type CodeHolder = Pick<BlikCode, 'recurring' | 'phoneId'>

/** Recorded action of a shopper who approves and then closes the window without returning to the shop. */
export const APPROVE_AND_LEAVE = 'approve-and-leave'

/** Details of a decision: cause of a decline, consent to a mandate, delay, and whether the shopper leaves. */
type DecisionDetails = Omit<ShopperDecision, 'action'> & { leaves?: boolean | undefined }

/** Creates the actions of a shopper at the bank, for hosted pages and control: get a code, view a payment, decide. */
export const createShopperActions = ({ store, clock, ids, jobs, rulesOf }: Parts) => {
  const parts = { store, clock, jobs, runDue: (organizationId: string) => jobs.runDue(organizationId) }
  const loadPayment = async (organizationId: string, transactionId: string): Promise<Payment> => {
    const payment = await decideAfterDueJobs(parts, organizationId, () => ({
      needs: { transactionId },
      decide: loaded => ({ result: loaded.payment }),
    }))
    if (!payment) throw unknownPayment(organizationId, transactionId)
    return payment
  }

  const refuseTooManyCodes = async (organizationId: string, phoneId: string, now: number): Promise<void> => {
    const newest = await store.blikCodesOfPhone(organizationId, phoneId, MOST_CODES_OF_PHONE)
    if (newest.filter(({ expiresAt }) => expiresAt > now).length < MOST_CODES_OF_PHONE) return
    throw new ControlError(
      'conflict',
      `The phone has ${MOST_CODES_OF_PHONE} valid codes: use one, or wait two minutes.`,
    )
  }

  const freeCode = async (organizationId: string, now: number): Promise<string> => {
    for (let attempt = 1; attempt <= MOST_DRAWS; attempt += 1) {
      const code = ids.blikCode()
      if (!(await store.liveBlikCode(organizationId, code, now))) return code
    }
    throw new ControlError(
      'conflict',
      `${organizationId} has so many valid codes that no free one was found: move its clock on by PT2M, or reset it.`,
    )
  }

  const timeOf = (organizationId: string) => ({
    now: clock.now(organizationId),
    rate: clock.setting(organizationId).rate,
  })

  const holderOf = async (organizationId: string, phoneId: string): Promise<CodeHolder> => {
    const phone = await store.phone(organizationId, phoneId)
    if (!phone) throw new ControlError('unknown', `There is no phone ${phoneId} in organization ${organizationId}.`)
    return { phoneId, recurring: bankOfPhone(phone).keepsShops }
  }

  const view = (payment: Payment): ShopperView => toShopperView(payment, timeOf(payment.organizationId))

  const actions = {
    view: async (organizationId: string, transactionId: string): Promise<ShopperView> =>
      view(await loadPayment(organizationId, transactionId)),

    /** Creates a BLIK code that differs from every valid code of the organization (R6); throws `conflict` without a free one. */
    createCode: async (organizationId: string, holder: CodeHolder = {}) => {
      const by = holder.phoneId === undefined ? holder : await holderOf(organizationId, holder.phoneId)
      const now = clock.now(organizationId)
      if (by.phoneId !== undefined) await refuseTooManyCodes(organizationId, by.phoneId, now)
      const code = await freeCode(organizationId, now)
      const made = { codeId: ids.secret(), code, expiresAt: now + LIFETIMES.blikCode }
      await store.addBlikCode(organizationId, { ...made, ...by })
      return { organizationId, ...timeOf(organizationId), ...made, ...phoneOf(by) }
    },

    code: async (organizationId: string, codeId: string) => {
      const found = await store.blikCodeById(organizationId, codeId)
      if (!found) return undefined
      const { codeId: id, code, expiresAt, transactionId } = found
      const payment = transactionId === undefined ? undefined : view(await loadPayment(organizationId, transactionId))
      const made = { codeId: id, code, expiresAt, ...phoneOf(found) }
      return { organizationId, ...timeOf(organizationId), ...made, ...(payment ? { payment } : {}) }
    },

    redirect: async (redirectId: string): Promise<ShopperView | undefined> => {
      const found = await store.paymentByRedirect(redirectId)
      return found && view(await loadPayment(found.organizationId, found.transactionId))
    },

    /** Decides about a payment, or lets it expire; a late decision throws TRANSITION_NOT_ALLOWED. */
    act: async (
      organizationId: string,
      transactionId: string,
      action: ShopperAction,
      { leaves, ...how }: DecisionDetails = {},
    ): Promise<ShopperView> => {
      const pressed = leaves && action === 'approve' ? APPROVE_AND_LEAVE : action
      const clickOf = (at: number, action: string) =>
        ({ kind: 'shopper', at, transactionId, action, real: clock.real() }) as const
      const decided = decideAfterDueJobs(parts, organizationId, now => ({
        needs: { transactionId },
        decide: ({ payment }) => {
          if (!payment) throw unknownPayment(organizationId, transactionId)
          const change = applyShopperDecision(payment, { action, ...how }, { now, rules: rulesOf(organizationId) })
          return { result: change.payment, save: { change, activity: clickOf(now, pressed) } }
        },
      }))
      const payment = await decided.catch(async error => {
        if (isLateDecision(error))
          await store.addActivity(organizationId, { ...clickOf(clock.now(organizationId), pressed), late: true })
        throw error
      })
      return view(payment)
    },
  }
  return {
    ...actions,

    /** Decides like `act`; a decision that comes too late changes nothing: the result shows how the payment stands. */
    decide: async (...[organizationId, transactionId, action, how]: Parameters<typeof actions.act>) => {
      try {
        return await actions.act(organizationId, transactionId, action, how)
      } catch (error) {
        if (!isLateDecision(error)) throw error
        return actions.view(organizationId, transactionId)
      }
    },
  }
}

export type ShopperActions = ReturnType<typeof createShopperActions>

const unknownPayment = (organizationId: string, transactionId: string): ControlError =>
  new ControlError('unknown', `There is no payment ${transactionId} in organization ${organizationId}.`)

/** Whether an error says that the shopper decided too late, or twice. */
const isLateDecision = (error: unknown): boolean =>
  error instanceof Refusal && error.refusal === 'TRANSITION_NOT_ALLOWED'

const phoneOf = ({ phoneId }: CodeHolder) => (phoneId === undefined ? {} : { phoneId })
