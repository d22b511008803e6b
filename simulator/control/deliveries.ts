import type { Context, Hono } from 'hono'
import { isoTime } from '../clock.ts'
import { formatDuration } from '../duration.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { limitOf } from './limit-of.ts'
import { readMembers, readObject } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }
type Delivery = Awaited<ReturnType<Operator['deliveries']['find']>>
type Plan = Awaited<ReturnType<Operator['deliveryPlans']['arm']>>

const STATES = ['waiting', 'delivered', 'dropped'] as const
const PLAN = ['match', 'on', 'do', 'after', 'times'] as const

/** What went out to endpoints try by try, and how the next notifications are to go out where not as usual (6). */
export const addDeliveryRoutes = (control: Hono, { operator, known }: Parts): void => {
  const deliveries = '/organizations/:organizationId/deliveries'
  const plans = '/organizations/:organizationId/delivery-plans'

  control.get(deliveries, async c => {
    const { endpointId, transactionId, state } = c.req.query()
    const query = { endpointId, transactionId, state: stateOf(state), limit: limitOf(c) }
    return c.json({ deliveries: (await operator.deliveries.list(await known(c), query)).map(deliveryBody) })
  })
  control.get(`${deliveries}/:deliveryId`, async c =>
    c.json(deliveryBody(await operator.deliveries.find(await known(c), c.req.param('deliveryId')))),
  )
  control.post(`${deliveries}/:deliveryId/resend`, async c => {
    const organizationId = await known(c)
    await readMembers(c, [])
    return c.json(deliveryBody(await operator.deliveries.resend(organizationId, c.req.param('deliveryId'))), 202)
  })

  control.post(plans, async c => {
    const organizationId = await known(c)
    return c.json(planBody(await operator.deliveryPlans.arm(organizationId, await readObject(c, PLAN))), 201)
  })
  control.get(plans, async c =>
    c.json({ deliveryPlans: (await operator.deliveryPlans.list(await known(c))).map(planBody) }),
  )
  control.delete(plans, async c => c.json({ disarmed: await operator.deliveryPlans.clear(await known(c)) }))
}

const stateOf = (word: string | undefined) => {
  const found = STATES.find(state => state === word)
  if (found || word === undefined) return found
  throw new OperatorError('invalid', `state is ${JSON.stringify(word.slice(0, 40))}: give one of ${STATES.join(', ')}.`)
}

const deliveryBody = ({ sending, sendingId: _, firstDueAt, dueAt, attempts, ...delivery }: Delivery) => ({
  ...delivery,
  notificationId: sending.notificationId,
  notificationType: sending.type,
  ...(sending.transactionId === '' ? {} : { transactionId: sending.transactionId }),
  body: sending.body,
  firstDueAt: isoTime(firstDueAt),
  ...(dueAt === undefined ? {} : { dueAt: isoTime(dueAt) }),
  attempts: attempts.map(({ at, real: _real, ...attempt }) => ({ at: isoTime(at), ...attempt })),
})

const planBody = ({ after, ...plan }: Plan) => ({
  ...plan,
  ...(after === undefined ? {} : { after: formatDuration(after) }),
})
