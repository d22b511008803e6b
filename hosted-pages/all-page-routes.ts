import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { appearanceRoutes } from './appearance-routes.ts'
import { assetRoutes } from './assets.ts'
import { type BlikFeatures, blikRoutes } from './blik/blik-routes.ts'
import { type IrisFeatures, irisRoutes } from './iris/iris-routes.ts'
import { type InstallationFacts, landingPage } from './landing-page.ts'
import { findOrganizations, type Organizations } from './organization-search-and-pagination.ts'
import { withClock } from './organization-with-clock.ts'
import { sayFor } from './page-language.ts'
import { respondNotFound, respondWithPage } from './page-response.ts'
import { type PortalFeatures, portalRoutes } from './portal/portal-routes.ts'
import { leaveOutForbidden } from './portal/sign-in/leave-out-forbidden.ts'
import type { ShopFeatures } from './shop/demo-shop-types.ts'
import { createShopAccess } from './shop/shop-access.ts'
import { shopRoutes } from './shop/shop-routes.ts'
import { stageRoutes } from './shop/side-by-side-stage-routes.ts'
import { paths } from './shopper-paths.ts'

/** Features of the simulator that the landing page and the shopper's pages need. */
export type ShopperPageFeatures = InstallationFacts &
  Organizations &
  BlikFeatures &
  IrisFeatures & {
    /** The merchant's side of the demo shop; absent where there is no shop. */
    shop?: ShopFeatures
    /** URL of the API for whoever calls the pages by a Host. */
    apiUrlAt: (host: string) => string
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
  const access = createShopAccess(portal?.access.permits)
  if (portal) for (const path of ['/', `${paths.portal}/*`]) pages.use(path, leaveOutForbidden(portal.access))
  pages.get('/', async c => {
    const own = await access.ownOrganization(c)
    const all = isOperator(c) ? await findOrganizations(c, features, CARDS) : undefined
    const organizations = all ?? (own === undefined ? undefined : onlyOne(features, own))
    const isSignedIn = portal?.access.isWanted === true && organizations !== undefined
    const apiUrl = features.apiUrlAt(new URL(c.req.url).host)
    const facts = { ...features, apiUrl, hasShop: features.shop !== undefined, isSignedIn, isOperator: isOperator(c) }
    return respondWithPage(c, landingPage(sayFor(c), organizations, facts))
  })
  pages.route('/', assetRoutes())
  pages.route('/', appearanceRoutes(features.pagesUrl))
  pages.route('/', blikRoutes(features, { ...access, isOperator }))
  pages.route('/', irisRoutes(features))
  const { shop } = features
  if (shop) pages.route('/', stageRoutes({ ...features, shop, access }))
  if (shop) pages.route('/', shopRoutes({ ...features, shop, access }))
  if (portal) pages.route('/', portalRoutes({ ...portal, hasShop: shop !== undefined }))
  pages.all('*', c => respondNotFound(c))
  return pages
}

/** The organization of whoever has a token for one alone, as the landing page lists it. */
const onlyOne = (features: Organizations, organizationId: string) => ({
  found: [withClock(features, { organizationId })],
  fitting: 1,
  all: 1,
  q: '',
  from: 0,
})
