import type { Context, Hono } from 'hono'
import { isoTime } from '../clock.ts'
import type { Operator } from '../operator/operator.ts'
import { readMembers, readValue } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** Beginning anew, and coming back to a state that was put by. */
export const addLifeRoutes = (control: Hono, { operator, known }: Parts): void => {
  const { snapshots } = operator
  const snapshot = '/organizations/:organizationId/snapshots/:name'
  const whole = (c: Context) => operator.organizations.known(c.req.param('organizationId') ?? '')

  control.delete('/organizations/:organizationId', async c => {
    const organizationId = await known(c)
    await operator.remove(organizationId)
    return c.json({ removed: organizationId })
  })
  control.post('/organizations/:organizationId/reset', async c => {
    const organizationId = await known(c)
    await readMembers(c, [])
    return c.json({ now: isoTime(await operator.reset(organizationId)) })
  })

  control.get('/organizations/:organizationId/snapshots', async c =>
    c.json({ snapshots: await snapshots.list(await known(c)) }),
  )
  control.post('/organizations/:organizationId/snapshots', async c => {
    const organization = await whole(c)
    const { name } = await readMembers(c, ['name'])
    const { replaced: _, ...taken } = await snapshots.take(organization, name)
    return c.json(taken, 201)
  })
  control.get(snapshot, async c => {
    const document = await snapshots.document(await known(c), c.req.param('name'))
    return c.body(document, 200, { 'Content-Type': 'application/json' })
  })
  control.put(snapshot, async c => {
    const organization = await whole(c)
    const { replaced, ...kept } = await snapshots.put(organization, c.req.param('name'), await readValue(c))
    return c.json(kept, replaced ? 200 : 201)
  })
  control.post(`${snapshot}/restore`, async c => {
    const organization = await whole(c)
    await readMembers(c, [])
    return c.json({ now: isoTime(await snapshots.restore(organization, c.req.param('name'))) })
  })
  control.delete(snapshot, async c => {
    await snapshots.drop(await known(c), c.req.param('name'))
    return c.json({ deleted: c.req.param('name') })
  })
}
