import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { ControlError } from '../support/control-error.ts'
import type { ControlTokenVerifier } from './control-token-verifier.ts'
import { readTextMembers } from './read-request.ts'

/** Adds the routes of control for the control tokens of an organization; `isWanted` tells whether the operator has one. */
export const addControlTokenRoutes = (
  control: Hono,
  { controlTokens }: ControlPlaneFeatures,
  { isWanted }: Pick<ControlTokenVerifier, 'isWanted'>,
): void => {
  const all = '/organizations/:organizationId/control-tokens'
  control.get(all, async c => c.json({ controlTokens: await controlTokens.list(c.var.organizationId) }))
  control.post(all, async c => {
    const { name = '', role = '' } = await readTextMembers(c, ['name', 'role'])
    if (!isWanted)
      throw new ControlError(
        'conflict',
        'Control is open to everybody here: start with --control-token, then give tokens.',
      )
    return c.json(await controlTokens.create(c.var.organizationId, name, role), 201)
  })
  control.delete(`${all}/:tokenId`, async c =>
    c.json(await controlTokens.revoke(c.var.organizationId, c.req.param('tokenId'))),
  )
}
