import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { isoTime } from '../support/clock.ts'

const FILTERS = ['from', 'to', 'processingAccountId', 'type'] as const

/** Adds the routes of control for the daily reports, without certificate or token of the API (4, D-75). */
export const addReportRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  const path = '/organizations/:organizationId/reports'

  control.get(path, async c => {
    const filter = Object.fromEntries(FILTERS.map(name => [name, c.req.query(name)]))
    const { nextAt, ...reports } = await controlPlane.reports.list(c.var.organization, filter)
    return c.json({ ...reports, nextAt: isoTime(nextAt) })
  })
  control.get(`${path}/:reportId`, async c => {
    const { text } = await controlPlane.reports.download(c.var.organization, c.req.param('reportId'))
    return c.body(text, 200, { 'Content-Type': 'text/csv; charset=utf-8' })
  })
}
