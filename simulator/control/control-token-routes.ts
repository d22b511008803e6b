import type { Hono } from 'hono'
import { ControlError } from '../support/control-error.ts'
import { readTextMembers } from './read-request.ts'
import type { RouteDependencies } from './route-dependencies.ts'

/** Adds the routes of control for the control tokens of an organization; `isWanted` tells whether the operator has one. */
export const addControlTokenRoutes = (
  control: Hono,
  { controlPlane, organizationIdOf, isWanted }: RouteDependencies & { isWanted: boolean },
): void => {
  const all = '/organizations/:organizationId/control-tokens'
  const { controlTokens } = controlPlane
  control.get(all, async c => c.json({ controlTokens: await controlTokens.list(await organizationIdOf(c)) }))
  control.post(all, async c => {
    const organizationId = await organizationIdOf(c)
    const { name = '', role = '' } = await readTextMembers(c, ['name', 'role'])
    if (!isWanted)
      throw new ControlError(
        'conflict',
        'Control is open to everybody here: start with --control-token, then give tokens.',
      )
    return c.json(await controlTokens.create(organizationId, name, role), 201)
  })
  control.delete(`${all}/:tokenId`, async c =>
    c.json(await controlTokens.revoke(await organizationIdOf(c), c.req.param('tokenId'))),
  )
}
