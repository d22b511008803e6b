import { Hono } from 'hono'
import { answerNotFound, answerPage } from './answer.ts'
import { assetRoutes } from './assets.ts'
import { blikRoutes } from './blik/blik-routes.ts'
import { findOrganizations } from './find-organization.ts'
import { irisRoutes } from './iris/iris-routes.ts'
import { landing } from './landing.ts'
import type { PagesPort } from './port.ts'
import type { PortalPort } from './portal/port.ts'
import { portalRoutes } from './portal/portal-routes.ts'
import { sayFor } from './say-for.ts'

/** So many organizations have their card on the first page. */
const CARDS = 8

/** What shoppers see, the BLIK phone and the IRIS banks, and the operator's portal. Mount it last: it answers every address. */
export function createPages(port: PagesPort, portal?: PortalPort): Hono {
  const pages = new Hono()
  pages.get('/', async c => {
    return answerPage(c, landing(sayFor(c), await findOrganizations(c, port.organizations, CARDS), port))
  })
  pages.route('/', assetRoutes())
  pages.route('/', blikRoutes(port))
  pages.route('/', irisRoutes(port))
  if (portal) pages.route('/', portalRoutes(portal))
  pages.all('*', c => answerNotFound(c))
  return pages
}
