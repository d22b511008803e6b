import { Hono } from 'hono'
import { answerLive, answerNotFound, answerPage, seeOther } from '../answer.ts'
import { deliveryPage, stageOf } from './delivery-page.ts'
import { formAct, type Given, pageOf, type Show, statusOf } from './form-act.ts'
import { inboxPage } from './inbox-page.ts'
import { ofOrganization } from './of-organization.ts'
import { portalPaths } from './paths.ts'
import type { PortalPort } from './port.ts'
import { visitOf, withDone } from './visit.ts'

const LIMIT = 50
const one = `${portalPaths.organizations}/:organizationId/deliveries/:deliveryId`
const inbox = `${portalPaths.organizations}/:organizationId/inbox`

/** One delivery, looked at while it is tried and sent again, and the inbox (6). */
export const deliveryRoutes = (port: PortalPort): Hono => {
  const { webhooks } = port
  const [of, act] = [ofOrganization(port), formAct(port)]
  const show: Show = async (c, organization, form = {}) => {
    const found = await webhooks.delivery(organization.organizationId, c.req.param('deliveryId') ?? '')
    if (!found) return answerNotFound(c)
    return answerPage(c, deliveryPage(visitOf(c, port, form), organization, found), 'here', statusOf(form))
  }
  const live = of(async (c, { organizationId, now }) => {
    const found = await webhooks.delivery(organizationId, c.req.param('deliveryId') ?? '')
    return found ? answerLive(c, { stage: stageOf(found), now, rate: 0, expiresAt: now }) : answerNotFound(c)
  })
  const resend = ({ organizationId, id }: Given) => webhooks.resend(organizationId, id)
  const toSame = ({ organizationId, id }: Given) => portalPaths.delivery(organizationId, id)
  const showInbox = of(async (c, organization) => {
    const shown = await webhooks.inbox(organization.organizationId, LIMIT)
    return answerPage(c, inboxPage(visitOf(c, port), organization, shown))
  })
  const clear = of(async (c, { organizationId }) => {
    await webhooks.clearInbox(organizationId)
    return seeOther(c, withDone(portalPaths.inbox(organizationId), 'inbox-cleared'))
  })
  return new Hono()
    .get(one, pageOf(port)(show))
    .get(`${one}/live`, live)
    .post(`${one}/resend`, act({ ask: resend, show, done: 'resent', to: toSame }))
    .get(inbox, showInbox)
    .post(`${inbox}/clear`, clear)
}
