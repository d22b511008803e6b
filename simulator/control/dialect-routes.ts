import type { Hono } from 'hono'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import { ControlError } from '../support/control-error.ts'
import { readTextMembers } from './read-request.ts'
import type { RouteDependencies } from './route-dependencies.ts'

/** Adds the routes of control for the dialect that an organization speaks, as the text of a profile. */
export const addDialectRoutes = (control: Hono, { controlPlane, organizationIdOf }: RouteDependencies): void => {
  const path = '/organizations/:organizationId/dialect'
  const { organizationDialects } = controlPlane

  control.get(path, async c => {
    const organizationId = await organizationIdOf(c)
    const profile = await organizationDialects.text(organizationId)
    return c.json({
      ...dialectBody(organizationDialects.of(organizationId)),
      ...(profile === undefined ? {} : { profile }),
    })
  })
  control.put(path, async c => {
    const organizationId = await organizationIdOf(c)
    const { profile } = await readTextMembers(c, ['profile'])
    if (profile === undefined) throw new ControlError('invalid', 'profile is missing: give the text of a profile.')
    return c.json(dialectBody(await organizationDialects.set(organizationId, profile)))
  })
  control.delete(path, async c => c.json(dialectBody(await organizationDialects.clear(await organizationIdOf(c)))))
}

const dialectBody = ({ name, lines, choices }: Dialect) => ({ name, lines, decisions: choices })
