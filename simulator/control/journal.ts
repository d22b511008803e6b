import type { Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { JOURNAL_WISHES, type JournalWish } from '../operator/journal-filter.ts'
import type { Operator } from '../operator/operator.ts'
import { limitOf } from './limit-of.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** Where a line goes on that broke, in milliseconds. */
const RETRY = 2_000

/** What was called and answered: page by page, and live as server-sent events; of callers that nobody knows apart. */
export const addJournalRoutes = (control: Hono, { operator: { calls }, known }: Parts): void => {
  const list = (c: Context, organizationId: string | undefined) => {
    const { calls: found } = calls.page(organizationId, {
      ...wishIn(c),
      before: c.req.query('before'),
      limit: limitOf(c),
    })
    return c.json({ calls: found })
  }
  const live = (c: Context, organizationId: string | undefined) =>
    streamSSE(c, async stream => {
      const gone = new AbortController()
      stream.onAbort(() => gone.abort())
      const after = c.req.header('last-event-id') || c.req.query('after') || undefined
      await stream.write(`retry: ${RETRY}\n\n`)
      for await (const { calls: fresh, missed } of calls.follow(organizationId, wishIn(c), {
        after,
        signal: gone.signal,
      })) {
        if (missed > 0) await stream.writeSSE({ event: 'missed', data: JSON.stringify({ missed }) })
        for (const call of fresh) await stream.writeSSE({ event: 'call', id: call.callId, data: JSON.stringify(call) })
        if (fresh.length + missed === 0) await stream.write(': nothing new\n\n')
      }
    })

  const journal = '/organizations/:organizationId/journal'
  control.get(journal, async c => list(c, await known(c)))
  control.get(`${journal}/stream`, async c => live(c, await known(c)))
  control.get('/journal', c => list(c, undefined))
  control.get('/journal/stream', c => live(c, undefined))
}

const wishIn = (c: Context): JournalWish => Object.fromEntries(JOURNAL_WISHES.map(name => [name, c.req.query(name)]))
