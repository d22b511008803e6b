import type { Context } from 'hono'
import { secureAt } from '../secure-cookies.ts'
import { type ShopAddress, shopPaths } from './shop-paths.ts'

/**
 * Payer that a browser is to one demo shop, by its cookie: with the shop's proof, since the API and its journal see the id,
 * and whether the bank app keeps the shop for later payments.
 */
export type ShopPayer = { payerId: string; isKept: boolean; proof: string }

const NAME = 'assay-payer'

/** Reads from the cookie of a request who says to pay at a demo shop in this browser; undefined at the first visit. */
export const payerIn = (c: Context): ShopPayer | undefined => {
  const [, payerId = '', kept, proof = ''] =
    /(?:^|; *)assay-payer=(shopper-[0-9a-f]{20})\.([01])\.([\w-]+)(?:;|$)/.exec(c.req.header('cookie') ?? '') ?? []
  return payerId === '' ? undefined : { payerId, isKept: kept === '1', proof }
}

/** Returns the Set-Cookie value by which a browser stays the same payer to a demo shop, for a year. */
export const payerCookie = (
  shop: ShopAddress,
  { payerId, isKept, proof }: ShopPayer,
  pagesUrl: string | undefined,
): string =>
  `${NAME}=${payerId}.${isKept ? 1 : 0}.${proof}; Path=${shopPaths.front(shop)}; Max-Age=31536000; HttpOnly; SameSite=Lax${secureAt(pagesUrl)}`

const SHOP_NAME = 'assay-shop'

/** Returns the Set-Cookie value by which a browser that comes back from its bank finds the shop again. */
export const shopCookie = (shop: ShopAddress, pagesUrl: string | undefined): string =>
  `${SHOP_NAME}=${shop.key}; Path=${shopPaths.backs(shop)}; Max-Age=86400; HttpOnly; SameSite=Lax${secureAt(pagesUrl)}`

/** Reads the key of the shop in which a browser that comes back from its bank bought; empty where it did not. */
export const shopKeyIn = (c: Context): string =>
  /(?:^|; *)assay-shop=([\w-]+)(?:;|$)/.exec(c.req.header('cookie') ?? '')?.[1] ?? ''
