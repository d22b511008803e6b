import type { Hono } from 'hono'
import { isoTime } from '../support/clock.ts'
import type { RouteDependencies } from './route-dependencies.ts'

const FILTERS = ['from', 'to', 'processingAccountId', 'type'] as const

/** Adds the routes of control for the daily reports, without certificate or token of the API (4, D-75). */
export const addReportRoutes = (control: Hono, { controlPlane, organizationOf }: RouteDependencies): void => {
  const path = '/organizations/:organizationId/reports'

  control.get(path, async c => {
    const organization = await organizationOf(c)
    const filter = Object.fromEntries(FILTERS.map(name => [name, c.req.query(name)]))
    const { nextAt, ...reports } = await controlPlane.reports.list(organization, filter)
    return c.json({ ...reports, nextAt: isoTime(nextAt) })
  })
  control.get(`${path}/:reportId`, async c => {
    const { text } = await controlPlane.reports.download(await organizationOf(c), c.req.param('reportId'))
    return c.body(text, 200, { 'Content-Type': 'text/csv; charset=utf-8' })
  })
}
