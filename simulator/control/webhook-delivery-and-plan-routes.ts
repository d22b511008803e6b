import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { isoTime } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { formatDuration } from '../support/duration.ts'
import { toJsonMember } from '../support/json-array-in-parts.ts'
import { readJsonMembers, readLimit, readTextMembers } from './read-request.ts'
import { respondInPieces } from './respond-in-pieces.ts'

type Delivery = Awaited<ReturnType<ControlPlaneFeatures['deliveries']['find']>>
type Plan = Awaited<ReturnType<ControlPlaneFeatures['deliveryPlans']['arm']>>

const STATES = ['failing', 'waiting', 'delivered', 'dropped'] as const
const RESENT = ['state', 'endpointId', 'transactionId'] as const
const PLAN = ['match', 'on', 'do', 'after', 'times'] as const

/** Deliveries of one list at most: each has attempts, of which a receiver's response may be 16 KiB. */
const MOST_LISTED = 1_000

/** Adds the routes of control for webhook deliveries with their attempts, and for delivery plans (6). */
export const addWebhookDeliveryRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  const deliveries = '/organizations/:organizationId/deliveries'
  const plans = '/organizations/:organizationId/delivery-plans'

  control.get(deliveries, async c => {
    const { endpointId, transactionId, state, before } = c.req.query()
    if (before !== undefined) await controlPlane.deliveries.requireKnown(c.var.organizationId, before)
    const query = { endpointId, transactionId, ...inState(state), before, limit: readLimit(c, MOST_LISTED) }
    return respondInPieces(
      c,
      toJsonMember('deliveries', controlPlane.deliveries.each(c.var.organizationId, query), deliveryBody),
    )
  })
  control.post(`${deliveries}/resend`, async c => {
    const { state, ...about } = await readTextMembers(c, RESENT)
    if (state === undefined) throw new ControlError('invalid', `state is missing: give one of ${STATES.join(', ')}.`)
    const which = { ...about, ...inState(state) }
    const { resent, skipped } = await controlPlane.deliveries.resendAll(c.var.organizationId, which)
    return c.json({ resent, skipped }, 202)
  })
  control.get(`${deliveries}/:deliveryId`, async c =>
    c.json(deliveryBody(await controlPlane.deliveries.find(c.var.organizationId, c.req.param('deliveryId')))),
  )
  control.post(`${deliveries}/:deliveryId/resend`, async c => {
    await readTextMembers(c, [])
    return c.json(
      deliveryBody(await controlPlane.deliveries.resend(c.var.organizationId, c.req.param('deliveryId'))),
      202,
    )
  })

  control.post(plans, async c => {
    return c.json(
      planBody(await controlPlane.deliveryPlans.arm(c.var.organizationId, await readJsonMembers(c, PLAN))),
      201,
    )
  })
  control.get(plans, async c =>
    c.json({ deliveryPlans: (await controlPlane.deliveryPlans.list(c.var.organizationId)).map(planBody) }),
  )
  control.delete(plans, async c => c.json({ disarmed: await controlPlane.deliveryPlans.clear(c.var.organizationId) }))
}

/** The part of a query that selects a state; a failing delivery waits after an attempt without a 2xx. */
const inState = (word: string | undefined) => {
  const found = STATES.find(state => state === word)
  if (found === 'failing') return { state: 'waiting', isTried: true } as const
  if (found || word === undefined) return { state: found }
  throw new ControlError('invalid', `state is ${JSON.stringify(word.slice(0, 40))}: give one of ${STATES.join(', ')}.`)
}

const deliveryBody = (wanted: Delivery) => {
  const { message, attemptCount: tries, firstDueAt, dueAt, attempts, deliveryId, endpointId, state } = wanted
  return {
    deliveryId,
    endpointId,
    tries,
    state,
    notificationId: message.notificationId,
    notificationType: message.type,
    ...(message.transactionId === '' ? {} : { transactionId: message.transactionId }),
    body: message.body,
    firstDueAt: isoTime(firstDueAt),
    ...(dueAt === undefined ? {} : { dueAt: isoTime(dueAt) }),
    attempts: attempts.map(({ at, real: _, resentAt: _resent, isExtra: _extra, ...attempt }) => ({
      at: isoTime(at),
      ...attempt,
    })),
  }
}

const planBody = ({ after, ...plan }: Plan) => ({
  ...plan,
  ...(after === undefined ? {} : { after: formatDuration(after) }),
})
