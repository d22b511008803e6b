import type { Hono } from 'hono'
import { isoTime } from '../support/clock.ts'
import type { RouteDependencies } from './route-dependencies.ts'

/** Adds the routes of control that search all that an organization has, and count its calls and payments over time. */
export const addSearchAndStatisticsRoutes = (
  control: Hono,
  { controlPlane: { search, statistics }, organizationIdOf }: RouteDependencies,
): void => {
  control.get('/organizations/:organizationId/search', async c => {
    const found = await search.find(await organizationIdOf(c), c.req.query('q') ?? '')
    return c.json({ found: found.map(({ payment: _, ...hit }) => hit) })
  })
  control.get('/organizations/:organizationId/statistics', async c => {
    const { from, to, periods, span, callsCountedSince } = await statistics(
      await organizationIdOf(c),
      c.req.query('span'),
    )
    const spoken = periods.map(({ at, ...period }) => ({ at: isoTime(at), ...period }))
    const times = { from: isoTime(from), to: isoTime(to), callsCountedSince: isoTime(callsCountedSince) }
    return c.json({ span, ...times, periods: spoken })
  })
}
