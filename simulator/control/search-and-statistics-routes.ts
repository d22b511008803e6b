import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { isoTime } from '../support/clock.ts'

/** Adds the routes of control that search all that an organization has, and count its calls and payments over time. */
export const addSearchAndStatisticsRoutes = (control: Hono, { search, statistics }: ControlPlaneFeatures): void => {
  control.get('/organizations/:organizationId/search', async c => {
    const found = await search.find(c.var.organizationId, c.req.query('q') ?? '')
    return c.json({ found: found.map(({ payment: _, ...hit }) => hit) })
  })
  control.get('/organizations/:organizationId/statistics', async c => {
    const { from, to, periods, span, callsCountedSince } = await statistics(c.var.organizationId, c.req.query('span'))
    const spoken = periods.map(({ at, ...period }) => ({ at: isoTime(at), ...period }))
    const times = { from: isoTime(from), to: isoTime(to), callsCountedSince: isoTime(callsCountedSince) }
    return c.json({ span, ...times, periods: spoken })
  })
}
