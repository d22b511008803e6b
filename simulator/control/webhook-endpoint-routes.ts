import type { Hono } from 'hono'
import { isJsonObject } from '../../contracts/protocol/canonical-json.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { isoTime, parseExactInstant } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { A_DURATION, parseDuration, SECOND } from '../support/duration.ts'
import { forwardedAddress } from '../webhooks/allowed-target-addresses.ts'
import type { ForwardedOutcome } from '../webhooks/assay-listen-attempts.ts'
import { shortenSecret } from '../webhooks/endpoint-secrets.ts'
import { createNotificationReader } from './inbox-routes.ts'
import { readJsonMembers, readTextMembers, readWait } from './read-request.ts'

type Endpoint = Awaited<ReturnType<ControlPlaneFeatures['endpoints']['find']>>

/** Interval at which a call that waits for an attempt looks whether its endpoint is still there. */
const LOOK_AGAIN = 2 * SECOND

/** Adds the routes of control for webhook endpoints: create, change, rotate secrets, test and replay (6). */
export const addWebhookEndpointRoutes = (
  control: Hono,
  { endpoints, listeners, dialects }: ControlPlaneFeatures,
): void => {
  const all = '/organizations/:organizationId/webhooks'
  const one = `${all}/:endpointId` as const

  control.post(all, async c => {
    const { endpoint, isNew } = await endpoints.register(
      c.var.organizationId,
      await readJsonMembers(c, ['url', 'types']),
    )
    return c.json(endpointBody(endpoint, true), isNew ? 201 : 200)
  })
  control.get(all, async c =>
    c.json({ webhooks: (await endpoints.list(c.var.organizationId)).map(endpoint => endpointBody(endpoint)) }),
  )
  control.get(one, async c =>
    c.json(endpointBody(await endpoints.find(c.var.organizationId, c.req.param('endpointId')))),
  )
  control.patch(one, async c => {
    const change = await readJsonMembers(c, ['url', 'types', 'enabled'])
    return c.json(endpointBody(await endpoints.change(c.var.organizationId, c.req.param('endpointId'), change)))
  })
  control.delete(one, async c => {
    await endpoints.remove(c.var.organizationId, c.req.param('endpointId'))
    return c.json({ deleted: c.req.param('endpointId') })
  })

  control.post(`${one}/rotate`, async c => {
    const { overlap } = await readTextMembers(c, ['overlap'])
    const milliseconds = overlap === undefined ? undefined : parseDuration(overlap)
    if (overlap !== undefined && milliseconds === undefined)
      throw new ControlError(
        'invalid',
        `overlap is "${overlap.slice(0, 40)}": give ${A_DURATION} such as PT24H or PT0S.`,
      )
    return c.json(
      endpointBody(await endpoints.rotate(c.var.organizationId, c.req.param('endpointId'), milliseconds), true),
    )
  })
  control.get(`${one}/listen`, async c => {
    const { signal } = c.req.raw
    for (let left = readWait(c, 'PT20S'); ; left -= LOOK_AGAIN) {
      const { endpointId, url, disabled } = await endpoints.find(c.var.organizationId, c.req.param('endpointId'))
      if (!forwardedAddress(url).isForwarded) throw new ControlError('conflict', notForwardedSentence(url))
      if (disabled) throw new ControlError('conflict', disabledSentence(disabled.reason))
      const attempt = await listeners.take(endpointId, Math.min(left, LOOK_AGAIN), signal)
      if (attempt) {
        const read = createNotificationReader(dialects.of(c.var.organizationId))
        return c.json({ ...attempt, notification: read(attempt.body) })
      }
      if (left <= LOOK_AGAIN || signal.aborted) return c.body(null, 204)
    }
  })
  control.post(`${one}/listen/:attemptId`, async c => {
    const { endpointId } = await endpoints.find(c.var.organizationId, c.req.param('endpointId'))
    const { response, error } = await readJsonMembers(c, ['response', 'error'])
    listeners.response(endpointId, c.req.param('attemptId'), outcomeOf(response, error))
    return c.body(null, 204)
  })
  control.post(`${one}/test`, async c => {
    await readTextMembers(c, [])
    return c.json({ deliveryId: await endpoints.ping(c.var.organizationId, c.req.param('endpointId')) }, 202)
  })
  control.post(`${one}/replay`, async c => {
    const { since = '' } = await readTextMembers(c, ['since'])
    const instant = parseExactInstant(since)
    if (Number.isNaN(instant))
      throw new ControlError('invalid', `since is "${since.slice(0, 40)}": give a time such as 2026-01-05T12:00:00Z.`)
    return c.json({ replayed: await endpoints.replay(c.var.organizationId, c.req.param('endpointId'), instant) }, 202)
  })
}

const notForwardedSentence = (url: string): string =>
  `The sandbox calls ${url} itself: register listen+${url} to fetch its webhooks here.`

const disabledSentence = (reason: string): string =>
  `The endpoint is disabled, and nothing is sent to it (${reason}): start assay listen again, which enables it.`

/** Reads what a listener's request came to. */
const outcomeOf = (response: unknown, error: unknown): ForwardedOutcome => {
  if (typeof error === 'string' && response === undefined) return { error: error.slice(0, 1_000) }
  const { status, headers = {}, body = '' } = isJsonObject(response) ? response : {}
  const isText = (value: unknown) => typeof value === 'string'
  const isMap = isJsonObject(headers) && Object.values(headers).every(isText)
  if (typeof status === 'number' && Number.isInteger(status) && isMap && isText(body) && error === undefined)
    return { response: { status, headers: headers as Record<string, string>, body: String(body).slice(0, 16_384) } }
  throw new ControlError('invalid', 'Give response {status, headers, body} with texts in headers and body, or error.')
}

/** Converts a webhook endpoint to JSON; its newest secret in full only where just created, all others shortened. */
const endpointBody = ({ secrets, createdAt, disabled, failing: _, ...endpoint }: Endpoint, inFull = false) => ({
  ...endpoint,
  enabled: disabled === undefined,
  ...(disabled === undefined ? {} : { disabled: { at: isoTime(disabled.at), reason: disabled.reason } }),
  createdAt: isoTime(createdAt),
  ...(inFull ? { secret: secrets[0]?.secret } : {}),
  secrets: secrets.map(({ secret, until }) => ({
    secret: shortenSecret(secret),
    ...(until === undefined ? {} : { until: isoTime(until) }),
  })),
})
