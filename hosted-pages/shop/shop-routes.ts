import { type Context, Hono } from 'hono'
import { readField } from '../blik/read-decision.ts'
import { demoModeCookie, isDemoMode } from '../demo-mode-cookie.ts'
import { type LiveChanges, respondWithStages } from '../live-stream.ts'
import { firstOrganization, type OrganizationDirectory } from '../organization-search-and-pagination.ts'
import { sayFor } from '../page-language.ts'
import { respondNotFound, respondWithPage, seeOther } from '../page-response.ts'
import { signInPath, signInPathTo } from '../portal/sign-in/sign-in-routes.ts'
import { backFromBankPage } from './back-from-bank-page.ts'
import { catalogueOf } from './catalogue.ts'
import { checkoutPage } from './checkout-page.ts'
import type { ShopFeatures, ShopView } from './demo-shop-types.ts'
import { frontPage } from './front-page.ts'
import { orderPage, pathOf, stageOfOrder } from './order-page.ts'
import { payerCookie, payerIn, type ShopPayer, shopCookie, shopKeyIn } from './payer-cookie.ts'
import { readPurchase } from './read-purchase.ts'
import { respondForbidden, type ShopAccess } from './shop-access.ts'
import { shopPaths } from './shop-paths.ts'

type Parts = OrganizationDirectory &
  LiveChanges & {
    shop: ShopFeatures
    /** The address at which others reach the pages, where one is configured. */
    pagesUrl?: string | undefined
    access: ShopAccess
  }

type PageResponse = Response | Promise<Response>

const SHOP = '/shop/:organizationId/:key'
const ORDER = `${SHOP}/orders/:orderId`

/** Topics at which an order may have changed: the shop learns of its payment by webhook. */
const ORDER_TOPICS = ['payments', 'webhooks', 'clock'] as const

/**
 * Finds the organization whose demo shop opens where none is named: that of the token, else the first; empty where
 * there is none.
 */
export const defaultOrganization = async (
  c: Context,
  { access, organizations }: OrganizationDirectory & { access: ShopAccess },
) => (await access.ownOrganization(c)) ?? (await firstOrganization({ organizations })) ?? ''

/** Creates the handler of a page of a shop: 404 where the address has the wrong key, or there is no such organization. */
export const withShop =
  ({ organizations, shop, access }: Omit<Parts, 'changes'>) =>
  (use: (c: Context, view: ShopView) => PageResponse) =>
  async (c: Context): Promise<Response> => {
    const [organizationId = '', key = ''] = [c.req.param('organizationId'), c.req.param('key')]
    if (!(await shop.isKey(organizationId, key)) || !(await organizations.find(organizationId)))
      return respondNotFound(c)
    const isOperator = (await access.mayAct(c, organizationId)) === 'permitted'
    const facts = { name: shop.nameOf(organizationId), isDemo: isDemoMode(c), isOperator }
    return use(c, { organizationId, key, say: sayFor(c), ...facts })
  }

/**
 * Creates the routes of the demo shops. Operators open any of them; others need an address with its key, as an operator shows it
 * them: without it they neither buy as an organization nor learn which there are.
 */
export function shopRoutes(parts: Parts): Hono {
  const { shop, pagesUrl, access, organizations } = parts
  const route = withShop(parts)
  /** Opens a shop for who may act as its organization; others sign in, or are told that their token does not permit it. */
  const open = async (c: Context, organizationId: string, page: 'front' | 'stage' = 'front'): Promise<Response> => {
    const is = await access.mayAct(c, organizationId)
    if (is === 'signed out')
      return seeOther(c, page === 'front' ? signInPath(c) : signInPathTo(shopPaths.toStage(organizationId)))
    if (is === 'forbidden') return respondForbidden(c, access)
    if (!(await organizations.find(organizationId))) return respondNotFound(c)
    return seeOther(c, shopPaths[page]({ organizationId, key: await shop.keyOf(organizationId) }))
  }

  const payerOf = async (c: Context, { organizationId }: ShopView): Promise<ShopPayer | undefined> => {
    const payer = payerIn(c)
    return payer && (await shop.isPayer(organizationId, payer)) ? payer : undefined
  }
  const newPayer = async ({ organizationId }: ShopView): Promise<ShopPayer> => {
    const payerId = shop.newPayerId()
    return { payerId, isKept: false, proof: await shop.payerProofOf(organizationId, payerId) }
  }
  const keeps = ({ organizationId }: ShopView, payerId: string) => shop.isKept(organizationId, payerId)
  const isStillKept = async (c: Context, view: ShopView): Promise<boolean> => {
    const payer = await payerOf(c, view)
    return payer?.isKept === true && keeps(view, payer.payerId)
  }

  return new Hono()
    .get(shopPaths.root, async c => {
      const stage = c.req.query('stage')
      return open(c, stage || (await defaultOrganization(c, parts)), stage === undefined ? 'front' : 'stage')
    })
    .get('/shop/:organizationId', c => open(c, c.req.param('organizationId')))
    .get('/shop/:organizationId/back/:orderId', async c => {
      const { organizationId, orderId } = c.req.param()
      const isBuyer = await shop.isKey(organizationId, shopKeyIn(c))
      if (!isBuyer && (await access.mayAct(c, organizationId)) !== 'permitted')
        return respondWithPage(c, backFromBankPage(sayFor(c)))
      return seeOther(
        c,
        `${shopPaths.order({ organizationId, key: await shop.keyOf(organizationId) }, orderId)}?from=bank`,
      )
    })
    .get(
      SHOP,
      route((c, view) => respondWithPage(c, frontPage(view, new URL(shopPaths.front(view), pagesUrl ?? c.req.url)))),
    )
    .get(
      `${SHOP}/products/:productId`,
      route(async (c, view) => {
        const product = catalogueOf(view.organizationId).products.find(({ id }) => id === c.req.param('productId'))
        if (!product) return respondNotFound(c)
        const isKept = await isStillKept(c, view)
        const isCodeWrong = c.req.query('code') === 'wrong'
        return respondWithPage(c, checkoutPage(view, { product, orderId: shop.newOrderId(), isKept, isCodeWrong }))
      }),
    )
    .post(
      `${SHOP}/products/:productId`,
      route(async (c, view) => {
        const product = catalogueOf(view.organizationId).products.find(({ id }) => id === c.req.param('productId'))
        if (!product) return respondNotFound(c)
        const payer = (await payerOf(c, view)) ?? (await newPayer(view))
        const base = pagesUrl ?? new URL(c.req.url).origin
        const purchase = await readPurchase(c, { view, product, payerId: payer.payerId, base })
        if (purchase === undefined) return seeOther(c, `${shopPaths.product(view, product.id)}?code=wrong`)
        const order = await shop.pay(purchase)
        if (!order) return respondNotFound(c)
        const isRefused = purchase.method === 'kept' && order.state === 'failed'
        c.header('Set-Cookie', payerCookie(view, isRefused ? { ...payer, isKept: false } : payer, pagesUrl))
        if (purchase.returnUrl !== undefined) c.header('Set-Cookie', shopCookie(view, pagesUrl), { append: true })
        const isAtBank = order.redirectUrl !== undefined && order.state === 'waiting'
        return seeOther(c, isAtBank ? pathOf(order.redirectUrl ?? '') : shopPaths.order(view, purchase.orderId))
      }),
    )
    .get(
      ORDER,
      route(async (c, view) => {
        const order = await shop.order(
          view.organizationId,
          c.req.param('orderId') ?? '',
          c.req.query('from') === 'bank',
        )
        if (!order) return respondNotFound(c)
        const payer = await payerOf(c, view)
        const isKept = order.isKept === true && payer !== undefined && (await keeps(view, payer.payerId))
        if (payer && isKept) c.header('Set-Cookie', payerCookie(view, { ...payer, isKept }, pagesUrl))
        return respondWithPage(c, orderPage(view, { ...order, isKept }))
      }),
    )
    .get(
      `${ORDER}/stream`,
      route(async (c, { organizationId, key }) => {
        const look = async () => {
          if (!(await shop.isKey(organizationId, key))) return undefined
          const order = await shop.order(organizationId, c.req.param('orderId') ?? '', false)
          return order && { stage: stageOfOrder(order), now: 0, rate: 0, expiresAt: 0 }
        }
        return (await look()) ? respondWithStages(parts, c, organizationId, look, ORDER_TOPICS) : respondNotFound(c)
      }),
    )
    .post(
      `${ORDER}/refund`,
      route(async (c, view) => {
        const order = await shop.refund(view.organizationId, c.req.param('orderId') ?? '')
        return order ? seeOther(c, shopPaths.order(view, order.orderId)) : respondNotFound(c)
      }),
    )
    .post(
      `${SHOP}/demo`,
      route(async (c, view) => {
        const [isOn, to] = [(await readField(c, 'demo')) === 'on', await readField(c, 'to')]
        c.header('Set-Cookie', demoModeCookie(isOn, pagesUrl))
        const here = shopPaths.front(view)
        const isOwn = to.startsWith(here) && URL.parse(to, 'http://here')?.href === `http://here${to}`
        return seeOther(c, isOwn ? to : here)
      }),
    )
}
