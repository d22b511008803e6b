import type { Context } from 'hono'
import type { ShopperAction } from './port.ts'

/** Reads which of the two buttons was pressed; anything else decides nothing. */
export async function decisionIn(c: Context): Promise<ShopperAction | undefined> {
  const form = await c.req.parseBody().catch(() => undefined)
  const action = form?.action
  return action === 'approve' || action === 'decline' ? action : undefined
}
