import { Hono } from 'hono'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { createShopAccess } from '../../shop/shop-access.ts'
import { formRoute, pageRoute, type ShowPage, type Submitted, statusOf } from '../forms/form-and-page-handlers.ts'
import { withMessage } from '../forms/form-message.ts'
import { findOrUndefined } from '../forms/form-result.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { respondNotFoundIn } from '../layout/not-found-page.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import type { SignInFeatures } from '../sign-in/sign-in-routes.ts'
import { deliveryPage } from './delivery-page.ts'
import type { DeliveryView } from './delivery-view.ts'
import { type InboxMessage, inboxPage } from './inbox-page.ts'

/** Features of the simulator that the portal's pages of a delivery and of the inbox need. */
export type DeliveryFeatures = OrganizationPages & {
  access: Pick<SignInFeatures['access'], 'permits'>
  endpoints: { list: (organizationId: string) => Promise<readonly { endpointId: string; url: string }[]> }
  deliveries: {
    find: (organizationId: string, deliveryId: string) => Promise<DeliveryView>
    resend: (organizationId: string, deliveryId: string) => Promise<unknown>
  }
  inbox: {
    secretOf: (organizationId: string) => Promise<string>
    /** Newest first. */
    list: (organizationId: string, filter: object, limit: number) => Promise<readonly InboxMessage[]>
    clear: (organizationId: string) => Promise<unknown>
  }
}

const LIMIT = 50
/** What a delivery was asked for by a form that led to its page. */
const ASKED = ['test', 'resend'] as const
const one = `${portalPaths.organizations}/:organizationId/deliveries/:deliveryId`
const inboxPath = `${portalPaths.organizations}/:organizationId/inbox`

/** Creates the portal's routes of one webhook delivery, live while it is attempted, and of the inbox (6). */
export const deliveryRoutes = (features: DeliveryFeatures): Hono => {
  const { endpoints, deliveries, inbox } = features
  const { mayAct } = createShopAccess(features.access.permits)
  const [route, form] = [withOrganization(features), formRoute(features)]
  const find = (organizationId: string, deliveryId = '') =>
    findOrUndefined(() => deliveries.find(organizationId, deliveryId))

  const show: ShowPage = async (c, organization, form = {}) => {
    const found = await find(organization.organizationId, c.req.param('deliveryId'))
    if (!found) return respondNotFoundIn(c, organization, 'webhooks', 'delivery')
    const known = await endpoints.list(organization.organizationId)
    const url = known.find(({ endpointId }) => endpointId === found.endpointId)?.url
    const asked = ASKED.find(one => one === c.req.query('asked'))
    const page = deliveryPage(pageRequestData(c, features, form), organization, found, { url, asked })
    return respondWithPage(c, page, 'here', statusOf(form))
  }
  const resend = ({ organizationId, id }: Submitted) => deliveries.resend(organizationId, id)
  const toSame = ({ organizationId, id }: Submitted) => `${portalPaths.delivery(organizationId, id)}?asked=resend`
  const showInbox = route(async (c, organization) => {
    const { organizationId } = organization
    const messages = await inbox.list(organizationId, {}, LIMIT)
    const isSecretShown = (await mayAct(c, organizationId)) === 'permitted'
    const shown = { secret: await inbox.secretOf(organizationId), isSecretShown, messages }
    return respondWithPage(c, inboxPage(pageRequestData(c, features), organization, shown))
  })
  const clear = route(async (c, { organizationId }) => {
    await inbox.clear(organizationId)
    return seeOther(c, withMessage(portalPaths.inbox(organizationId), 'inbox-cleared'))
  })
  return new Hono()
    .get(one, pageRoute(features)(show))
    .post(`${one}/resend`, form({ submit: resend, show, to: toSame }))
    .get(inboxPath, showInbox)
    .post(`${inboxPath}/clear`, clear)
}
