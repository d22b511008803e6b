import type { Context } from 'hono'
import { seeOther } from '../page-response.ts'
import { paths } from '../shopper-paths.ts'
import {
  paymentStage,
  type ShopperAction,
  type ShopperChoice,
  type ShopperDecisions,
  type ShopperPayment,
} from '../shopper-payment-and-decision.ts'
import { type Account, accountsFor } from './accounts.ts'
import type { Bank } from './banks.ts'

type Submitted = { c: Context; redirectId: string; payment: ShopperPayment; bank?: Bank }

const BUTTONS = ['approve', 'leave', 'decline'] as const
type Button = (typeof BUTTONS)[number]
type Decision = { action: ShopperAction } & ShopperChoice

/**
 * Creates the handler of the shopper's button on the IRIS pages: it decides the payment once, then redirects with 303,
 * so that reload and back repeat nothing.
 */
export const decide =
  (shopper: ShopperDecisions) =>
  async ({ c, redirectId, payment, bank }: Submitted): Promise<Response> => {
    const button = await readButton(c)
    const account = accountsFor(payment).find(({ id }) => id === c.req.param('accountId'))
    const decision = button && decisionOf(button, payment, bank, account)
    if (!decision) return seeOther(c, paths.redirect(redirectId))
    const { action, ...how } = decision
    const now = await shopper.decide(payment.organizationId, payment.transactionId, action, how)
    return seeOther(c, wayOn(button, now, redirectId))
  }

const readButton = async (c: Context): Promise<Button | undefined> => {
  const form = await c.req.parseBody().catch(() => undefined)
  return BUTTONS.find(word => word === form?.action)
}

/** Returns the decision behind a button: the bank declines if the balance is too low (D-104), a slow bank delays. */
const decisionOf = (
  button: Button,
  { amount }: ShopperPayment,
  bank: Bank | undefined,
  account: Account | undefined,
): Decision | undefined => {
  if (button === 'decline') return { action: 'decline' }
  if (!bank || !account) return undefined
  if (account.balance < amount) return { action: 'decline', cause: 'INSUFFICIENT_FUNDS' }
  const after = bank.takesSeconds > 0 ? { after: bank.takesSeconds * 1000 } : {}
  return { action: 'approve', ...after, ...(button === 'leave' ? { leaves: true } : {}) }
}

/** Returns where to redirect: to the shop if the decision counted, else to the page of the payment's stage. */
const wayOn = (button: Button, payment: ShopperPayment, redirectId: string): string => {
  const stage = paymentStage(payment)
  const here = paths.redirect(redirectId)
  if (button === 'leave' && (stage === 'approved' || stage === 'confirming')) return `${here}/left`
  const heard = stage === (button === 'decline' ? 'declined' : 'approved')
  return heard && payment.returnUrl !== undefined ? payment.returnUrl : here
}
