import type { Hono } from 'hono'
import { PROVIDER_IDS } from '../../contracts/protocol/providers-and-capabilities.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { readJsonMembers } from './read-request.ts'

/** Adds the routes of control for the capabilities of payment methods on single accounts (D-77). */
export const addCapabilityRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  const path = '/organizations/:organizationId/accounts/:accountId/capabilities'

  control.get(path, async c =>
    c.json(await controlPlane.capabilities.find(c.var.organizationId, c.req.param('accountId'))),
  )
  control.put(path, async c => {
    const wanted = await readJsonMembers(c, PROVIDER_IDS)
    return c.json(await controlPlane.capabilities.override(c.var.organizationId, c.req.param('accountId'), wanted))
  })
}
