import type { Hono } from 'hono'
import type { JudgedConductRule } from '../../contracts/conduct/conduct-rule.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { isoTime, parseExactInstant } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { readTextMembers } from './read-request.ts'

/** Adds the routes of control for verdicts on how a merchant's integration behaves (its conduct), and for drills. */
export const addMerchantConductAndDrillRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  const { conduct, drills } = controlPlane

  control.get('/organizations/:organizationId/conduct', async c =>
    c.json(conductBody(await conduct.judge(c.var.organizationId, sinceOf(c.req.query('since'))))),
  )
  control.get('/drills', c => c.json({ drills: drills.list() }))

  const drill = '/organizations/:organizationId/drills/:name'
  control.post(`${drill}/begin`, async c => {
    await readTextMembers(c, [])
    const begun = await drills.begin(c.var.organizationId, c.req.param('name'))
    return c.json({ ...begun.drill, since: isoTime(begun.since) }, 201)
  })
  control.post(`${drill}/between`, async c => {
    await readTextMembers(c, [])
    await drills.between(c.var.organizationId, c.req.param('name'))
    return c.json({ now: isoTime(controlPlane.now(c.var.organizationId)) })
  })
  control.post(`${drill}/end`, async c => {
    const { since } = await readTextMembers(c, ['since'])
    if (since === undefined) throw new ControlError('invalid', 'since is missing: give the value that begin returned.')
    return c.json(conductBody(await drills.end(c.var.organizationId, c.req.param('name'), sinceOf(since) ?? 0)))
  })
}

const conductBody = (rules: readonly JudgedConductRule[]) => ({ rules })

const sinceOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const instant = parseExactInstant(text)
  if (!Number.isNaN(instant)) return instant
  throw new ControlError('invalid', `since is ${JSON.stringify(text.slice(0, 40))}: give an instant in ISO 8601.`)
}
