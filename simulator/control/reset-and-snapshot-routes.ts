import type { Hono } from 'hono'
import { parseSnapshotText } from '../organizations/parse-snapshot-text.ts'
import { isoTime } from '../support/clock.ts'
import { readJsonBody, readTextMembers } from './read-request.ts'
import type { RouteDependencies } from './route-dependencies.ts'

/** Adds the routes of control for removing and resetting organizations, and for snapshots. */
export const addResetAndSnapshotRoutes = (
  control: Hono,
  { controlPlane, organizationOf, organizationIdOf }: RouteDependencies,
): void => {
  const { snapshots } = controlPlane
  const snapshot = '/organizations/:organizationId/snapshots/:name'

  control.delete('/organizations/:organizationId', async c => {
    const organizationId = await organizationIdOf(c)
    await controlPlane.remove(organizationId)
    return c.json({ removed: organizationId })
  })
  control.post('/organizations/:organizationId/reset', async c => {
    const organizationId = await organizationIdOf(c)
    await readTextMembers(c, [])
    return c.json({ now: isoTime(await controlPlane.reset(organizationId)) })
  })

  control.get('/organizations/:organizationId/snapshots', async c =>
    c.json({ snapshots: await snapshots.list(await organizationIdOf(c)) }),
  )
  control.post('/organizations/:organizationId/snapshots', async c => {
    const organization = await organizationOf(c)
    const { name } = await readTextMembers(c, ['name'])
    const { replaced: _, ...taken } = await snapshots.take(organization, name)
    return c.json(taken, 201)
  })
  control.get(snapshot, async c => {
    const document = await snapshots.document(await organizationIdOf(c), c.req.param('name'))
    return c.body(document, 200, { 'Content-Type': 'application/json' })
  })
  control.put(snapshot, async c => {
    const organization = await organizationOf(c)
    const { replaced, ...kept } = await snapshots.put(
      organization,
      c.req.param('name'),
      await readJsonBody(c, parseSnapshotText),
    )
    return c.json(kept, replaced ? 200 : 201)
  })
  control.post(`${snapshot}/restore`, async c => {
    const organization = await organizationOf(c)
    await readTextMembers(c, [])
    return c.json({ now: isoTime(await snapshots.restore(organization, c.req.param('name'))) })
  })
  control.delete(snapshot, async c => {
    await snapshots.remove(await organizationIdOf(c), c.req.param('name'))
    return c.json({ deleted: c.req.param('name') })
  })
}
