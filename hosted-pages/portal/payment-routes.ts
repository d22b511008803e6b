import { Hono } from 'hono'
import { answerNotFound, answerPage } from '../answer.ts'
import type { PaymentsPort, PaymentWish } from './live-port.ts'
import { ofOrganization } from './of-organization.ts'
import { portalPaths } from './paths.ts'
import { paymentsPage } from './payments-page.ts'
import type { PortalPort } from './port.ts'
import { timelinePage } from './timeline-page.ts'
import { visitOf } from './visit.ts'

const LINES = 20
const WISHES = ['transactionId', 'clientTransactionId', 'status', 'before'] as const

/** Payments and the timeline of each. */
export const paymentRoutes = (
  port: Pick<PortalPort, 'access' | 'organizations'> & { payments: PaymentsPort },
): Hono => {
  const of = ofOrganization(port)
  const root = `${portalPaths.organizations}/:organizationId/payments`
  return new Hono()
    .get(
      root,
      of(async (c, organization) => {
        const named = WISHES.flatMap(name => (c.req.query(name)?.trim() ? [[name, c.req.query(name)?.trim()]] : []))
        const wish = { ...(Object.fromEntries(named) as Partial<PaymentWish>), limit: LINES }
        const found = await port.payments.list(organization.organizationId, wish)
        const shown = 'done' in found ? found.done : { payments: [] }
        const visit = visitOf(c, port, 'refused' in found ? found : {})
        return answerPage(c, paymentsPage(visit, { organization, wish, ...shown }))
      }),
    )
    .get(
      `${root}/:transactionId`,
      of(async (c, organization) => {
        const view = await port.payments.timeline(organization.organizationId, c.req.param('transactionId') ?? '')
        return view ? answerPage(c, timelinePage(visitOf(c, port), organization, view)) : answerNotFound(c)
      }),
    )
}
