import type { Context } from 'hono'
import type { ShopperAction, ShopperChoice, ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Screen } from './code-stage-and-screen-paths.ts'

/** The only PIN that the BLIK bank app refuses, for tests of a wrong PIN. */
export const WRONG_PIN = '0000'

type Submitted = { screen: Screen } | ({ action: ShopperAction } & ShopperChoice)

/** The decision behind each button below a BLIK payment; `approve` is not here, since it needs the PIN first. */
const BUTTONS = new Map<string, Submitted>(
  Object.entries({
    decline: { action: 'decline' },
    lapse: { action: 'lapse' },
    'insufficient-funds': { action: 'decline', cause: 'INSUFFICIENT_FUNDS' },
    'limit-exceeded': { action: 'decline', cause: 'AMOUNT_LIMIT_EXCEEDED' },
    keep: { action: 'approve', keep: true },
    'do-not-keep': { action: 'approve', keep: false },
  }),
)

/**
 * Reads the shopper's decision from a submitted form of the BLIK bank app, or the screen its button leads to; undefined
 * for an unknown button.
 */
export async function readDecision(c: Context, payment: ShopperPayment): Promise<Submitted | undefined> {
  const button = await readField(c, 'action')
  return button === 'approve' ? decisionAfterPin(await readField(c, 'pin'), payment) : BUTTONS.get(button)
}

/** Returns what follows the PIN: the wrong-PIN screen, approval, or first the second consent, to save the shop. */
const decisionAfterPin = (pin: string, { transactionType }: ShopperPayment): Submitted => {
  if (!/^\d{4}$/.test(pin) || pin === WRONG_PIN) return { screen: 'wrong-pin' }
  return transactionType === 'RECURRING' ? { screen: 'keep' } : { action: 'approve' }
}

/** Reads one field of a form that a hosted page submitted; empty where the form has no such field. */
export async function readField(c: Context, name: string): Promise<string> {
  const form = await c.req.parseBody().catch(() => undefined)
  const value = form?.[name]
  return typeof value === 'string' ? value : ''
}
