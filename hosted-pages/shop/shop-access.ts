import type { Context } from 'hono'
import { respondWithPage } from '../page-response.ts'
import { forbiddenPage } from '../portal/sign-in/sign-in-page.ts'
import type { PortalPermit, RequestTarget } from '../portal/sign-in/sign-in-routes.ts'
import { paths } from '../shopper-paths.ts'

/**
 * Access rules of the demo shops: which organization's shop, and stage, a request may open without an address that has
 * the shop's key.
 */
export type ShopAccess = {
  /** Whether a request may act as an organization: as whoever may have its kit can, and pay by that. */
  mayAct: (c: Context, organizationId: string) => Promise<PortalPermit['is']>
  /** The organization to which the token of a request is limited; undefined for the operator, and for nobody. */
  ownOrganization: (c: Context) => Promise<string | undefined>
}

/**
 * Creates the access rules of the demo shops from the permits of the portal; without a portal everyone is the
 * operator.
 */
export const createShopAccess = (permits?: (c: RequestTarget) => Promise<PortalPermit>): ShopAccess => ({
  mayAct: async (c, organizationId) => {
    const kit = { header: (name: string) => c.req.header(name), method: 'GET', path: paths.kit(organizationId) }
    return permits === undefined ? 'permitted' : (await permits({ req: kit, env: c.env })).is
  },
  ownOrganization: async c => (await permits?.(c))?.organizationId,
})

/** Responds with 403 and the page that says for which organization the token of a request is. */
export const respondForbidden = async (c: Context, { ownOrganization }: ShopAccess): Promise<Response> =>
  respondWithPage(c, forbiddenPage((await ownOrganization(c)) ?? ''), 'here', 403)
