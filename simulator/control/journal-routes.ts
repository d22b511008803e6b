import type { Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { writeHar } from '../journal/har.ts'
import { JOURNAL_FILTER_MEMBERS, type JournalFilter } from '../journal/journal-filter.ts'
import { toJsonMember } from '../support/json-array-in-parts.ts'
import type { ControlTokenVerifier } from './control-token-verifier.ts'
import { readLimit } from './read-request.ts'
import { respondInPieces } from './respond-in-pieces.ts'

/** Milliseconds after which a client of the stream reconnects. */
const RETRY = 2_000

/** Adds the routes of control for the journal, in pages and as a live stream; unidentified callers apart. */
export const addJournalRoutes = (
  control: Hono,
  { journal: reader, organizations }: ControlPlaneFeatures,
  { permits }: Pick<ControlTokenVerifier, 'permits'>,
): void => {
  const beforeOf = (c: Context, organizationId: string | undefined): string | undefined => {
    const before = c.req.query('before')
    if (before !== undefined) reader.requireKnown(organizationId, before)
    return before
  }
  const list = (c: Context, organizationId: string | undefined) => {
    const query = { ...filterOf(c), before: beforeOf(c, organizationId), limit: readLimit(c) }
    return respondInPieces(c, toJsonMember('calls', reader.newestFirst(organizationId, query)))
  }
  const archive = (c: Context, organizationId: string | undefined) => {
    const limit = c.req.query('limit') === undefined ? Number.POSITIVE_INFINITY : readLimit(c)
    const query = { ...filterOf(c), before: beforeOf(c, organizationId), limit }
    return respondInPieces(c, writeHar(reader.oldestFirst(organizationId, query)), {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="${organizationId ?? 'nobody'}.har"`,
    })
  }
  const live = (c: Context, organizationId: string | undefined) => {
    const gone = new AbortController()
    const after = c.req.header('last-event-id') || c.req.query('after') || undefined
    const isThere = async () => organizationId === undefined || (await organizations.find(organizationId)) !== undefined
    const judge = async () => (await permits(c)).is === 'permitted' && (await isThere())
    const isPermitted = () => judge().catch(() => false) // the client connects again
    const batches = reader.follow(organizationId, filterOf(c), { after, signal: gone.signal, isPermitted })
    return streamSSE(c, async stream => {
      stream.onAbort(() => gone.abort())
      await stream.write(`retry: ${RETRY}\n\n`)
      for await (const { calls: added, missed } of batches) {
        if (missed > 0) await stream.writeSSE({ event: 'missed', data: JSON.stringify({ missed }) })
        for (const call of added) await stream.writeSSE({ event: 'call', id: call.callId, data: JSON.stringify(call) })
        if (added.length + missed === 0) await stream.write(': nothing new\n\n')
      }
    })
  }

  const journal = '/organizations/:organizationId/journal'
  control.get(journal, async c => list(c, c.var.organizationId))
  control.get(`${journal}/stream`, async c => live(c, c.var.organizationId))
  control.get(`${journal}.har`, async c => archive(c, c.var.organizationId))
  control.get('/journal.har', c => archive(c, undefined))
  control.get('/journal', c => list(c, undefined))
  control.get('/journal/stream', c => live(c, undefined))
}

const filterOf = (c: Context): JournalFilter =>
  Object.fromEntries(JOURNAL_FILTER_MEMBERS.map(name => [name, c.req.query(name)]))
