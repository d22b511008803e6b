import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { parseSnapshotText } from '../organizations/parse-snapshot-text.ts'
import { isoTime } from '../support/clock.ts'
import { readJsonBody, readTextMembers } from './read-request.ts'

/** Adds the routes of control for removing and resetting organizations, and for snapshots. */
export const addResetAndSnapshotRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  const { snapshots } = controlPlane
  const snapshot = '/organizations/:organizationId/snapshots/:name'

  control.delete('/organizations/:organizationId', async c => {
    await controlPlane.remove(c.var.organizationId)
    return c.json({ removed: c.var.organizationId })
  })
  control.post('/organizations/:organizationId/reset', async c => {
    await readTextMembers(c, [])
    return c.json({ now: isoTime(await controlPlane.reset(c.var.organizationId)) })
  })

  control.get('/organizations/:organizationId/snapshots', async c =>
    c.json({ snapshots: await snapshots.list(c.var.organizationId) }),
  )
  control.post('/organizations/:organizationId/snapshots', async c => {
    const { name } = await readTextMembers(c, ['name'])
    const { replaced: _, ...taken } = await snapshots.take(c.var.organization, name)
    return c.json(taken, 201)
  })
  control.get(snapshot, async c => {
    const document = await snapshots.document(c.var.organizationId, c.req.param('name'))
    return c.body(document, 200, { 'Content-Type': 'application/json' })
  })
  control.put(snapshot, async c => {
    const { replaced, ...kept } = await snapshots.put(
      c.var.organization,
      c.req.param('name'),
      await readJsonBody(c, parseSnapshotText),
    )
    return c.json(kept, replaced ? 200 : 201)
  })
  control.post(`${snapshot}/restore`, async c => {
    await readTextMembers(c, [])
    return c.json({ now: isoTime(await snapshots.restore(c.var.organization, c.req.param('name'))) })
  })
  control.delete(snapshot, async c => {
    await snapshots.remove(c.var.organizationId, c.req.param('name'))
    return c.json({ deleted: c.req.param('name') })
  })
}
