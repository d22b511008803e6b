import { Hono } from 'hono'
import { respondNotFound, respondWithPage } from '../../page-response.ts'
import { english } from '../../texts.ts'
import { findOrUndefined, formResult } from '../forms/form-result.ts'
import { pageContext } from '../layout/page-context.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import type { PaymentTimeline } from '../timeline/timeline-mark-types.ts'
import { timelinePage } from '../timeline/timeline-page.ts'
import { type PaymentFilter, type PaymentRow, paymentsPage } from './payments-page.ts'

/** Features that the list of payments and their timelines need. */
export type PaymentFeatures = OrganizationPages & {
  payments: {
    list: (organizationId: string, filter: PaymentFilter) => Promise<{ payments: readonly PaymentRow[]; next?: string }>
    timeline: (organizationId: string, transactionId: string) => Promise<PaymentTimeline>
  }
}

const LINES = 20
const FILTERS = ['transactionId', 'clientTransactionId', 'status', 'before'] as const

/** Creates the routes of the list of payments and of the timeline of each. */
export const paymentRoutes = (features: PaymentFeatures): Hono => {
  const { payments } = features
  const route = withOrganization(features)
  const root = `${portalPaths.organizations}/:organizationId/payments`
  return new Hono()
    .get(
      root,
      route(async (c, organization) => {
        const given = FILTERS.flatMap(name => (c.req.query(name)?.trim() ? [[name, c.req.query(name)?.trim()]] : []))
        const filter = { ...(Object.fromEntries(given) as Partial<PaymentFilter>), limit: LINES }
        const result = await formResult(() => payments.list(organization.organizationId, filter))
        const found = 'done' in result ? result.done : { payments: [] }
        const context = pageContext(c, features, 'refused' in result ? result : {})
        return respondWithPage(c, paymentsPage(context, { organization, filter, ...found }))
      }),
    )
    .get(
      `${root}/:transactionId`,
      route(async (c, organization) => {
        const { organizationId } = organization
        const transactionId = c.req.param('transactionId') ?? ''
        const timeline = await findOrUndefined(() => payments.timeline(organizationId, transactionId))
        return timeline
          ? respondWithPage(c, timelinePage(pageContext(c, features), organization, timeline))
          : respondNotFound(c, english)
      }),
    )
}
