import type { Context } from 'hono'
import { seeOther } from '../answer.ts'
import { paths } from '../paths.ts'
import type { PagesPort, ShopperAction, ShopperChoice, ShopperView } from '../port.ts'
import { type Account, accountsFor } from './accounts.ts'
import type { Bank } from './banks.ts'
import { stageOf } from './stage.ts'

type Visit = { c: Context; redirectId: string; payment: ShopperView; bank?: Bank }

const PRESSED = ['approve', 'leave', 'decline'] as const
type Pressed = (typeof PRESSED)[number]
type Decision = { action: ShopperAction } & ShopperChoice

/**
 * A press of a button: the bank hears it once, and whoever pressed it is sent on by GET, so that a reload, the way back
 * or a second press repeats nothing.
 */
export const decide =
  (port: PagesPort) =>
  async ({ c, redirectId, payment, bank }: Visit): Promise<Response> => {
    const pressed = await pressedIn(c)
    const account = accountsFor(payment).find(({ id }) => id === c.req.param('accountId'))
    const decision = pressed && decisionOf(pressed, payment, bank, account)
    if (!decision) return seeOther(c, paths.redirect(redirectId))
    const { action, ...how } = decision
    const now = await port.decide(payment.organizationId, payment.transactionId, action, how)
    return seeOther(c, wayOn(pressed, now, redirectId))
  }

const pressedIn = async (c: Context): Promise<Pressed | undefined> => {
  const form = await c.req.parseBody().catch(() => undefined)
  return PRESSED.find(word => word === form?.action)
}

/** What the bank makes of it: without enough money on the account it says no (D-104), and a slow one takes its time. */
const decisionOf = (
  pressed: Pressed,
  { amount }: ShopperView,
  bank: Bank | undefined,
  account: Account | undefined,
): Decision | undefined => {
  if (pressed === 'decline') return { action: 'decline' }
  if (!bank || !account) return undefined
  if (account.balance < amount) return { action: 'decline', cause: 'INSUFFICIENT_FUNDS' }
  const after = bank.takesSeconds > 0 ? { after: bank.takesSeconds * 1000 } : {}
  return { action: 'approve', ...after, ...(pressed === 'leave' ? { leaves: true } : {}) }
}

/** Who was heard goes back to the shop. Anybody else should read here what is true, not believe that the press counted. */
const wayOn = (pressed: Pressed, payment: ShopperView, redirectId: string): string => {
  const stage = stageOf(payment)
  const here = paths.redirect(redirectId)
  if (pressed === 'leave' && (stage === 'approved' || stage === 'confirming')) return `${here}/left`
  const heard = stage === (pressed === 'decline' ? 'declined' : 'approved')
  return heard && payment.returnUrl !== undefined ? payment.returnUrl : here
}
