import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { assetRoutes } from './assets.ts'
import { type BlikFeatures, blikRoutes } from './blik/blik-routes.ts'
import { type IrisFeatures, irisRoutes } from './iris/iris-routes.ts'
import { type InstallationFacts, landingPage } from './landing-page.ts'
import { findOrganizations, type Organizations } from './organization-search-and-pagination.ts'
import { sayFor } from './page-language.ts'
import { respondNotFound, respondWithPage } from './page-response.ts'
import { type PortalFeatures, portalRoutes } from './portal/portal-routes.ts'
import type { ShopFeatures } from './shop/demo-shop-types.ts'
import { createShopAccess } from './shop/shop-access.ts'
import { shopRoutes } from './shop/shop-routes.ts'
import { stageRoutes } from './shop/side-by-side-stage-routes.ts'

/** Features of the simulator that the landing page and the shopper's pages need. */
export type ShopperPageFeatures = InstallationFacts &
  Organizations &
  BlikFeatures &
  IrisFeatures & {
    /** The merchant's side of the demo shop; absent where there is no shop. */
    shop?: ShopFeatures
  }

/** Most organizations that the landing page shows, one card each. */
const CARDS = 8

/**
 * Creates the hosted pages: the landing page, the BLIK phone, the IRIS banks and the operator's portal. Each page names
 * what it needs as a type, which features satisfy as they are. Mount it last: it responds at every address.
 */
export function createPages(features: ShopperPageFeatures, portal?: PortalFeatures): Hono {
  const pages = new Hono()
  pages.use(compress()) // never a stream of events, nor what says no-transform
  const isOperator = (c: Context): boolean => portal === undefined || portal.access.shownBy(c) === 'right'
  pages.get('/', async c => {
    const organizations = isOperator(c) ? await findOrganizations(c, features, CARDS) : undefined
    const facts = { ...features, hasShop: features.shop !== undefined }
    return respondWithPage(c, landingPage(sayFor(c), organizations, facts))
  })
  pages.route('/', assetRoutes())
  pages.route('/', blikRoutes(features, isOperator))
  pages.route('/', irisRoutes(features))
  const { shop } = features
  const access = createShopAccess(portal?.access.permits)
  if (shop) pages.route('/', stageRoutes({ ...features, shop, access }))
  if (shop) pages.route('/', shopRoutes({ ...features, shop, access }))
  if (portal) pages.route('/', portalRoutes({ ...portal, hasShop: shop !== undefined }))
  pages.all('*', c => respondNotFound(c))
  return pages
}
