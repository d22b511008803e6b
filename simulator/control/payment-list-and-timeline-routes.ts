import type { Context, Hono } from 'hono'
import { visibleCharacters } from '../../contracts/protocol/visible-text.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { isoTime } from '../support/clock.ts'
import { requireOneOf } from '../support/control-error.ts'
import { toJsonArray } from '../support/json-array-in-parts.ts'
import type { PaymentTimeline } from '../timeline/payment-and-timeline-reader.ts'
import { paymentsCsv } from '../timeline/payments-csv.ts'
import { PAYMENT_FILTER_MEMBERS, type PaymentFilter } from '../timeline/read-payment-filter.ts'
import { readLimit } from './read-request.ts'
import { respondInPieces } from './respond-in-pieces.ts'

type Page = { before: string | undefined; limit: number }

/** Payments of a list that are read at once. */
const PAGE = 250

/** A function that draws the timeline of a payment as the text of an SVG file. */
export type DrawTimeline = (timeline: PaymentTimeline) => string

/** Response headers of the SVG file, which brings its own styles and may load nothing else. */
const SVG_HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const

/** Adds the routes of control for payments and the timeline of a payment, as JSON and SVG. */
export const addPaymentListAndTimelineRoutes = (
  control: Hono,
  { payments }: ControlPlaneFeatures,
  drawTimeline: DrawTimeline,
): void => {
  const all = '/organizations/:organizationId/payments'
  const one = `${all}/:transactionId` as const

  const filterOf = async (c: Context): Promise<{ organizationId: string; filter: PaymentFilter }> => {
    const { organizationId, accountIds } = c.var.organization
    const filter = Object.fromEntries(PAYMENT_FILTER_MEMBERS.map(name => [name, c.req.query(name) || undefined]))
    if (filter.accountId !== undefined) requireOneOf('accountId', filter.accountId, accountIds)
    return { organizationId, filter }
  }

  /** A list as JSON, which ends with where the next begins; read page by page. */
  async function* listOf(organizationId: string, filter: PaymentFilter, { before, limit }: Page) {
    let [next, left] = [before, limit]
    async function* rows() {
      for (let isFull = true; isFull && left > 0; ) {
        const wanted = Math.min(PAGE, left)
        const page = await payments.list(organizationId, { ...filter, before: next, limit: wanted })
        yield* page.payments
        next = page.next
        left -= page.payments.length
        isFull = next !== undefined && page.payments.length === wanted
      }
    }
    yield '{"payments":'
    yield* toJsonArray(rows(), rowBody)
    yield next === undefined ? '}' : `,"next":${JSON.stringify(next)}}`
  }

  control.get(all, async c => {
    const { organizationId, filter } = await filterOf(c)
    return respondInPieces(c, listOf(organizationId, filter, { before: c.req.query('before'), limit: readLimit(c) }))
  })
  control.get(`${all}/totals`, async c => {
    const { organizationId, filter } = await filterOf(c)
    return c.json(await payments.totals(organizationId, filter, Number.MAX_SAFE_INTEGER))
  })
  control.get('/organizations/:organizationId/payments.csv', async c => {
    const { organizationId, filter } = await filterOf(c)
    return respondInPieces(c, paymentsCsv(payments.slices(organizationId, filter)), {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${organizationId}-payments.csv"`,
    })
  })
  control.get(`${one}/timeline`, async c => {
    const { marks, now, ...payment } = await payments.timeline(c.var.organizationId, c.req.param('transactionId'))
    return c.json({ ...rowBody(payment), now: isoTime(now), marks: marks.map(markBody) })
  })
  control.get(`${one}/timeline.svg`, async c => {
    const timeline = await payments.timeline(c.var.organizationId, c.req.param('transactionId'))
    return c.body(xmlText(drawTimeline(timeline)), 200, SVG_HEADERS)
  })
}

/** Shows the characters that XML does not have as escapes, or as the replacement character. */
const xmlText = (markup: string): string => visibleCharacters(markup).replace(/[\ufffe\uffff]/g, '\ufffd')

const rowBody = <Row extends { createdAt: number }>({ createdAt, ...row }: Row) => ({
  ...row,
  createdAt: isoTime(createdAt),
})

const markBody = ({ at, ...mark }: PaymentTimeline['marks'][number]) => ({
  at: isoTime(at),
  ...mark,
  ...(mark.lane === 'clock' ? { until: isoTime(mark.until) } : {}),
})
