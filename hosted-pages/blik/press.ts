import type { Context } from 'hono'
import type { ShopperAction, ShopperChoice, ShopperView } from '../port.ts'
import type { Screen } from './code-path.ts'

/** The one PIN that is wrong, so that a test can be wrong on purpose. */
export const WRONG_PIN = '0000'

type Pressed = { screen: Screen } | ({ action: ShopperAction } & ShopperChoice)

/** What each button below a payment stands for; a yes needs the PIN first. */
const BUTTONS = new Map<string, Pressed>(
  Object.entries({
    decline: { action: 'decline' },
    lapse: { action: 'lapse' },
    'insufficient-funds': { action: 'decline', cause: 'INSUFFICIENT_FUNDS' },
    'limit-exceeded': { action: 'decline', cause: 'AMOUNT_LIMIT_EXCEEDED' },
    keep: { action: 'approve', keep: true },
    'do-not-keep': { action: 'approve', keep: false },
  }),
)

/** Reads which button was pressed; anything that is none decides nothing. */
export async function pressIn(c: Context, payment: ShopperView): Promise<Pressed | undefined> {
  const button = await fieldIn(c, 'action')
  return button === 'approve' ? afterPin(await fieldIn(c, 'pin'), payment) : BUTTONS.get(button)
}

/** A payment that also keeps the shop is paid first and kept second: two consents, which count together. */
const afterPin = (pin: string, { transactionType }: ShopperView): Pressed => {
  if (!/^\d{4}$/.test(pin) || pin === WRONG_PIN) return { screen: 'wrong-pin' }
  return transactionType === 'RECURRING' ? { screen: 'keep' } : { action: 'approve' }
}

/** One field of a form that was sent; empty where there is none. */
export async function fieldIn(c: Context, name: string): Promise<string> {
  const form = await c.req.parseBody().catch(() => undefined)
  const value = form?.[name]
  return typeof value === 'string' ? value : ''
}
