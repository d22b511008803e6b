import type { Context, Hono } from 'hono'
import { isoTime } from '../clock.ts'
import type { Operator } from '../operator/operator.ts'

const WISHES = ['from', 'to', 'processingAccountId', 'type'] as const

/** The daily reports, without a certificate or a token of the API (4, D-75). */
export const addReportRoutes = (control: Hono, { operator }: { operator: Operator }): void => {
  const path = '/organizations/:organizationId/reports'
  const whole = (c: Context) => operator.organizations.known(c.req.param('organizationId') ?? '')

  control.get(path, async c => {
    const organization = await whole(c)
    const wish = Object.fromEntries(WISHES.map(name => [name, c.req.query(name)]))
    const { nextAt, ...told } = await operator.reports.list(organization, wish)
    return c.json({ ...told, nextAt: isoTime(nextAt) })
  })
  control.get(`${path}/:reportId`, async c => {
    const text = await operator.reports.download(await whole(c), c.req.param('reportId'))
    return c.body(text, 200, { 'Content-Type': 'text/csv; charset=utf-8' })
  })
}
