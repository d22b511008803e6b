import type { Hono } from 'hono'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { ControlError } from '../support/control-error.ts'
import { readTextMembers } from './read-request.ts'

/** Adds the routes of control for the dialect that an organization speaks, as the text of a profile. */
export const addDialectRoutes = (control: Hono, { organizationDialects }: ControlPlaneFeatures): void => {
  const path = '/organizations/:organizationId/dialect'

  control.get(path, async c => {
    const profile = await organizationDialects.text(c.var.organizationId)
    return c.json({
      ...dialectBody(organizationDialects.of(c.var.organizationId)),
      ...(profile === undefined ? {} : { profile }),
    })
  })
  control.put(path, async c => {
    const { profile } = await readTextMembers(c, ['profile'])
    if (profile === undefined) throw new ControlError('invalid', 'profile is missing: give the text of a profile.')
    return c.json(dialectBody(await organizationDialects.set(c.var.organizationId, profile)))
  })
  control.delete(path, async c => c.json(dialectBody(await organizationDialects.clear(c.var.organizationId))))
}

const dialectBody = ({ name, lines, choices }: Dialect) => ({ name, lines, decisions: choices })
