import type { Context, Hono } from 'hono'
import type { Mark } from '../../hosted-pages/portal/live-port.ts'
import { FILE_HEADERS, timelineFile } from '../../hosted-pages/portal/timeline-file.ts'
import { isoTime } from '../clock.ts'
import type { Operator } from '../operator/operator.ts'
import { limitOf } from './limit-of.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** Payments as an operator looks at them, and all that happened to one of them on one axis. */
export const addPaymentRoutes = (control: Hono, { operator: { payments }, known }: Parts): void => {
  const all = '/organizations/:organizationId/payments'
  const one = `${all}/:transactionId` as const

  control.get(all, async c => {
    const { transactionId, clientTransactionId, status, before } = c.req.query()
    const wish = { transactionId, clientTransactionId, status, before, limit: limitOf(c) }
    const { payments: found, next } = await payments.list(await known(c), wish)
    return c.json({ payments: found.map(dated), ...(next === undefined ? {} : { next }) })
  })
  control.get(`${one}/timeline`, async c => {
    const { marks, now, ...payment } = await payments.timeline(await known(c), c.req.param('transactionId'))
    return c.json({ ...dated(payment), now: isoTime(now), marks: marks.map(markBody) })
  })
  control.get(`${one}/timeline.svg`, async c => {
    const view = await payments.timeline(await known(c), c.req.param('transactionId'))
    return c.body(String(timelineFile(view)), 200, FILE_HEADERS)
  })
}

const dated = <Row extends { createdAt: number }>({ createdAt, ...row }: Row) => ({
  ...row,
  createdAt: isoTime(createdAt),
})

const markBody = ({ at, ...mark }: Mark) => ({
  at: isoTime(at),
  ...mark,
  ...(mark.lane === 'clock' ? { until: isoTime(mark.until) } : {}),
})
