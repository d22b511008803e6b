import { Hono } from 'hono'
import { respondWithPage } from '../../page-response.ts'
import { findOrUndefined, formResult } from '../forms/form-result.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { respondNotFoundIn } from '../layout/not-found-page.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import type { PaymentTimeline } from '../timeline/timeline-mark-types.ts'
import { timelinePage } from '../timeline/timeline-page.ts'
import type { PaymentIdFeatures } from './find-payment-ids.ts'
import { PAYMENT_CRITERIA, type PaymentCriteria } from './payment-filter-form.ts'
import type { PaymentTotalsView } from './payment-totals.ts'
import { type PaymentRow, paymentsPage } from './payments-page.ts'
import { readPaymentCriteria } from './read-payment-criteria.ts'

/** Features of the simulator that the portal's list of payments and their timelines need. */
export type PaymentFeatures = OrganizationPages &
  PaymentIdFeatures & {
    payments: {
      /** Newest first; amounts in minor units. */
      list: (
        organizationId: string,
        page: PaymentCriteria & { before?: string | undefined; limit: number },
      ) => Promise<{ payments: readonly PaymentRow[]; next?: string }>
      /** Sums of the newest payments, at most so many. */
      totals: (organizationId: string, criteria: PaymentCriteria, most: number) => Promise<PaymentTotalsView>
      timeline: (organizationId: string, transactionId: string) => Promise<PaymentTimeline>
    }
  }

const LINES = 20
/** Most payments that the page adds up unless it is asked for all: some milliseconds. */
const ADDED_UP = 1_000

/** Creates the routes of the portal's list of payments and of the timeline of each. */
export const paymentRoutes = (features: PaymentFeatures): Hono => {
  const { payments } = features
  const route = withOrganization(features)
  const root = `${portalPaths.organizations}/:organizationId/payments`
  return new Hono()
    .get(
      root,
      route(async (c, organization) => {
        const { organizationId } = organization
        const named = PAYMENT_CRITERIA.map(name => [name, c.req.query(name)?.trim() || undefined])
        const criteria: PaymentCriteria = Object.fromEntries(named)
        const before = c.req.query('before') || undefined
        const most = c.req.query('totals') === 'all' ? Number.MAX_SAFE_INTEGER : ADDED_UP
        const result = await formResult(async () => {
          const asked = await readPaymentCriteria(features, organizationId, criteria)
          const page = await payments.list(organizationId, { ...asked, before, limit: LINES })
          return { asked, ...page, totals: await payments.totals(organizationId, asked, most) }
        })
        const found = 'done' in result ? result.done : { asked: {}, payments: [], totals: undefined }
        const context = pageRequestData(c, features, 'refused' in result ? { ...result, typed: c.req.query() } : {})
        return respondWithPage(c, paymentsPage(context, { organization, criteria, before, ...found }))
      }),
    )
    .get(
      `${root}/:transactionId`,
      route(async (c, organization) => {
        const { organizationId } = organization
        const transactionId = c.req.param('transactionId') ?? ''
        const timeline = await findOrUndefined(() => payments.timeline(organizationId, transactionId))
        return timeline
          ? respondWithPage(c, timelinePage(pageRequestData(c, features), organization, timeline))
          : respondNotFoundIn(c, organization, 'payments', 'payment')
      }),
    )
}
