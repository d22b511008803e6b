import type { Hono } from 'hono'
import { PROVIDER_IDS } from '../../contracts/protocol/providers-and-capabilities.ts'
import { readJsonMembers } from './read-request.ts'
import type { RouteDependencies } from './route-dependencies.ts'

/** Adds the routes of control for the capabilities of payment methods on single accounts (D-77). */
export const addCapabilityRoutes = (control: Hono, { controlPlane, organizationIdOf }: RouteDependencies): void => {
  const path = '/organizations/:organizationId/accounts/:accountId/capabilities'

  control.get(path, async c =>
    c.json(await controlPlane.capabilities.find(await organizationIdOf(c), c.req.param('accountId'))),
  )
  control.put(path, async c => {
    const organizationId = await organizationIdOf(c)
    const wanted = await readJsonMembers(c, PROVIDER_IDS)
    return c.json(await controlPlane.capabilities.override(organizationId, c.req.param('accountId'), wanted))
  })
}
