import type { Context, Hono } from 'hono'
import { instantOf, isoTime } from '../clock.ts'
import { parseDuration } from '../duration.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { readMembers, readObject } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }
type Endpoint = Awaited<ReturnType<Operator['endpoints']['find']>>

/** Where merchants are told what happens (6): endpoints, their secrets, a test and a replay. */
export const addWebhookRoutes = (control: Hono, { operator, known }: Parts): void => {
  const { endpoints } = operator
  const all = '/organizations/:organizationId/webhooks'
  const one = `${all}/:endpointId` as const

  control.post(all, async c => {
    const organizationId = await known(c)
    return c.json(endpointBody(await endpoints.add(organizationId, await readObject(c, ['url', 'types'])), true), 201)
  })
  control.get(all, async c =>
    c.json({ webhooks: (await endpoints.list(await known(c))).map(endpoint => endpointBody(endpoint)) }),
  )
  control.get(one, async c => c.json(endpointBody(await endpoints.find(await known(c), c.req.param('endpointId')))))
  control.patch(one, async c => {
    const organizationId = await known(c)
    const change = await readObject(c, ['url', 'types', 'enabled'])
    return c.json(endpointBody(await endpoints.change(organizationId, c.req.param('endpointId'), change)))
  })
  control.delete(one, async c => {
    await endpoints.remove(await known(c), c.req.param('endpointId'))
    return c.json({ deleted: c.req.param('endpointId') })
  })

  control.post(`${one}/rotate`, async c => {
    const organizationId = await known(c)
    const { overlap } = await readMembers(c, ['overlap'])
    const milliseconds = overlap === undefined ? undefined : parseDuration(overlap)
    if (overlap !== undefined && milliseconds === undefined)
      throw new OperatorError('invalid', `overlap is "${overlap.slice(0, 40)}": give a duration such as PT24H or PT0S.`)
    return c.json(endpointBody(await endpoints.rotate(organizationId, c.req.param('endpointId'), milliseconds), true))
  })
  control.post(`${one}/test`, async c => {
    const organizationId = await known(c)
    await readMembers(c, [])
    return c.json({ deliveryId: await endpoints.ping(organizationId, c.req.param('endpointId')) }, 202)
  })
  control.post(`${one}/replay`, async c => {
    const organizationId = await known(c)
    const { since = '' } = await readMembers(c, ['since'])
    const instant = /^\d{4}-\d\d-\d\dT/.test(since) ? instantOf(since) : Number.NaN
    if (Number.isNaN(instant))
      throw new OperatorError('invalid', `since is "${since.slice(0, 40)}": give a time such as 2026-01-05T12:00:00Z.`)
    return c.json({ replayed: await endpoints.replay(organizationId, c.req.param('endpointId'), instant) }, 202)
  })
}

/** An endpoint as it is told; its secrets in full only where one was just made. */
const endpointBody = ({ secrets, createdAt, disabled, ...endpoint }: Endpoint, inFull = false) => ({
  ...endpoint,
  enabled: disabled === undefined,
  ...(disabled === undefined ? {} : { disabled: { at: isoTime(disabled.at), reason: disabled.reason } }),
  createdAt: isoTime(createdAt),
  ...(inFull ? { secret: secrets[0]?.secret } : {}),
  secrets: secrets.map(({ secret, until }) => ({
    secret: `${secret.slice(0, 10)}…`,
    ...(until === undefined ? {} : { until: isoTime(until) }),
  })),
})
