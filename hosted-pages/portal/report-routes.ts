import { type Context, Hono } from 'hono'
import { answerPage, seeOther } from '../answer.ts'
import { ofOrganization } from './of-organization.ts'
import { portalPaths } from './paths.ts'
import type { OrganizationSummary, PortalPort, ReportWish } from './port.ts'
import { reportsPage } from './reports-page.ts'
import { visitOf, withDone } from './visit.ts'

const here = `${portalPaths.organizations}/:organizationId/reports`
const WISHES = ['from', 'to', 'processingAccountId', 'type'] as const

/** Daily reports: listed, and made by letting the day end. */
export const reportRoutes = (port: PortalPort): Hono => {
  const { reports } = port
  const show = async (c: Context, organization: OrganizationSummary, before?: { refused: string }) => {
    const wish = wishIn(c)
    const told = await reports.list(organization.organizationId, wish)
    const refusal = before ?? ('refused' in told ? told : undefined)
    const shown = { types: reports.types, wish, found: 'done' in told ? told.done : undefined }
    const page = reportsPage(visitOf(c, port, refusal), organization, shown)
    return answerPage(c, page, 'here', refusal ? 400 : 200)
  }
  const of = ofOrganization(port)
  return new Hono()
    .get(
      here,
      of((c, organization) => show(c, organization)),
    )
    .post(
      `${here}/finish-day`,
      of(async (c, organization) => {
        const { organizationId } = organization
        const wish = await reports.finishDay(organizationId)
        if ('refused' in wish) return show(c, organization, wish)
        return seeOther(c, withDone(portalPaths.reports(organizationId), 'day-finished'))
      }),
    )
}

/** What is left empty in a form narrows nothing. */
const wishIn = (c: Context): ReportWish =>
  Object.fromEntries(WISHES.flatMap(name => (c.req.query(name) ? [[name, c.req.query(name)]] : [])))
