import type { Context } from 'hono'
import { type ShopAddress, shopPaths } from './shop-paths.ts'

/**
 * Payer that a browser is to one demo shop, by its cookie, and whether the bank app keeps the shop for later payments.
 */
export type ShopPayer = { payerId: string; isKept: boolean }

const NAME = 'assay-payer'

/** Reads from the cookie of a request who pays at a demo shop in this browser; undefined at the first visit. */
export const payerIn = (c: Context): ShopPayer | undefined => {
  const [, payerId = '', kept] =
    /(?:^|; *)assay-payer=(shopper-[0-9a-f]{20})\.([01])(?:;|$)/.exec(c.req.header('cookie') ?? '') ?? []
  return payerId === '' ? undefined : { payerId, isKept: kept === '1' }
}

/** Returns the Set-Cookie value by which a browser stays the same payer to a demo shop, for a year. */
export const payerCookie = (shop: ShopAddress, { payerId, isKept }: ShopPayer): string =>
  `${NAME}=${payerId}.${isKept ? 1 : 0}; Path=${shopPaths.front(shop)}; Max-Age=31536000; HttpOnly; SameSite=Lax`
