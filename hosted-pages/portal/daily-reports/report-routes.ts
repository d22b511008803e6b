import { type Context, Hono } from 'hono'
import { respondWithPage } from '../../page-response.ts'
import { formRoute, pageRoute, type ShowPage, type Submitted, statusOf } from '../forms/form-and-page-handlers.ts'
import { formResult } from '../forms/form-result.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import type { Organization, OrganizationPages } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type ReportFilter, type Reports, reportsPage } from './reports-page.ts'

/** Features of the simulator that the portal's page of daily reports needs. */
export type ReportFeatures = OrganizationPages & {
  reports: {
    types: readonly string[]
    list: (organization: Pick<Organization, 'organizationId' | 'accountIds'>, filter: ReportFilter) => Promise<Reports>
  }
  clock: { goTo(organizationId: string, instant: number): Promise<unknown> }
}

const here = `${portalPaths.organizations}/:organizationId/reports`
const FILTERS = ['from', 'to', 'processingAccountId', 'type'] as const

/** Creates the portal's routes to list daily reports, and to create them by moving the clock to the end of the day. */
export const reportRoutes = (features: ReportFeatures): Hono => {
  const { reports, clock } = features
  const show: ShowPage = async (c, organization, form = {}) => {
    const filter = filterIn(c)
    const listed = await formResult(() => reports.list(organization, filter))
    const context = 'refused' in listed ? { ...listed, typed: { from: '', to: '', ...filter }, ...form } : form
    const shown = { types: reports.types, filter, found: 'done' in listed ? listed.done : undefined }
    return respondWithPage(
      c,
      reportsPage(pageRequestData(c, features, context), organization, shown),
      'here',
      statusOf(context),
    )
  }
  const finishDay = async ({ organization }: Submitted) => {
    const { nextAt } = await reports.list(organization, {})
    await clock.goTo(organization.organizationId, nextAt)
  }
  const toAll = ({ organizationId }: Submitted) => portalPaths.reports(organizationId)
  return new Hono()
    .get(here, pageRoute(features)(show))
    .post(`${here}/finish-day`, formRoute(features)({ submit: finishDay, show, done: 'day-finished', to: toAll }))
}

/** Reads the filter of reports from the address; empty fields do not narrow. */
const filterIn = (c: Context): Readonly<Record<string, string>> =>
  Object.fromEntries(FILTERS.map(name => [name, c.req.query(name) ?? '']).filter(([, text]) => text !== ''))
