import type { Context, Hono } from 'hono'
import type { Conduct } from '../../contracts/conduct/rule.ts'
import { instantOf, isoTime } from '../clock.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { readMembers } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** Grades of a merchant's integration, and the drills that give it occasion. */
export const addConductRoutes = (control: Hono, { operator, known }: Parts): void => {
  const { conduct, drills } = operator

  control.get('/organizations/:organizationId/conduct', async c =>
    c.json(graded(await conduct.judge(await known(c), sinceOf(c.req.query('since'))))),
  )
  control.get('/drills', c => c.json({ drills: drills.list() }))

  const drill = '/organizations/:organizationId/drills/:name'
  control.post(`${drill}/begin`, async c => {
    const organizationId = await known(c)
    await readMembers(c, [])
    const begun = await drills.begin(organizationId, c.req.param('name'))
    return c.json({ ...begun.drill, since: isoTime(begun.since) }, 201)
  })
  control.post(`${drill}/between`, async c => {
    const organizationId = await known(c)
    await readMembers(c, [])
    await drills.between(organizationId, c.req.param('name'))
    return c.json({ now: isoTime(operator.now(organizationId)) })
  })
  control.post(`${drill}/end`, async c => {
    const organizationId = await known(c)
    const { since } = await readMembers(c, ['since'])
    if (since === undefined) throw new OperatorError('invalid', 'since is missing: give what begin answered.')
    return c.json(graded(await drills.end(organizationId, c.req.param('name'), sinceOf(since) ?? 0)))
  })
}

const graded = (rules: readonly Conduct[]) => ({ rules })

const sinceOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const instant = instantOf(text)
  if (Number.isFinite(instant)) return instant
  throw new OperatorError('invalid', `since is ${JSON.stringify(text.slice(0, 40))}: give an instant in ISO 8601.`)
}
