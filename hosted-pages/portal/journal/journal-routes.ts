import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { OrganizationView } from '../../organization-clock.ts'
import { respondWithPage } from '../../page-response.ts'
import { findOrUndefined } from '../forms/form-result.ts'
import { pageContext } from '../layout/page-context.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import type { CallView } from './journal-call-types.ts'
import { CALL_FILTERS, type CallFilter, type CallPage, callPage, journalPage } from './journal-page.ts'
import { journalRow } from './journal-row.ts'

type Whose = string | undefined
type Reader = { after?: string | undefined; signal: AbortSignal }

/**
 * Features of the simulator that the portal's pages of the journal need; without an organization, of callers who have
 * none.
 */
export type JournalFeatures = OrganizationPages & {
  journal: {
    /** Newest first, from behind a call on. */
    page: (whose: Whose, query: CallFilter & { before?: string | undefined; limit: number }) => CallPage
    find: (whose: Whose, callId: string) => CallView
    /** Calls as they happen, and an empty item now and then; ends when the reader goes or the simulator stops. */
    follow: (
      whose: Whose,
      filter: CallFilter,
      reader: Reader,
    ) => AsyncIterable<{ calls: readonly CallView[]; missed: number }>
  }
}

/** Calls on one page of the journal: by default, and at most where the script asks for more. */
const [LINES, MOST] = [25, 200]

/** Creates the routes of the portal's journal: pages, single calls, and a live stream of HTML as server-sent events. */
export const journalRoutes = (features: JournalFeatures): Hono => {
  const { journal } = features
  const list = (c: Context, organization: OrganizationView | undefined) => {
    const [filter, before] = [filterIn(c), c.req.query('before')]
    const page = journal.page(organization?.organizationId, {
      ...filter,
      before,
      limit: Math.min(Number(c.req.query('limit')) || LINES, MOST),
    })
    return respondWithPage(c, journalPage(pageContext(c, features), { organization, filter, before, page }))
  }
  const one = async (c: Context, organization: OrganizationView | undefined) => {
    const call = await findOrUndefined(() => journal.find(organization?.organizationId, c.req.param('callId') ?? ''))
    return respondWithPage(c, callPage(organization, call), 'here', call ? 200 : 404)
  }
  const live = (c: Context, organization: OrganizationView | undefined) => {
    return streamSSE(c, async stream => {
      const gone = new AbortController()
      stream.onAbort(() => gone.abort())
      const after = c.req.header('last-event-id') || c.req.query('after') || undefined
      await stream.write('retry: 1000\n\n')
      const news = journal.follow(organization?.organizationId, filterIn(c), { after, signal: gone.signal })
      for await (const { calls, missed } of news) {
        if (missed > 0) await stream.writeSSE({ event: 'missed', data: String(missed) })
        for (const call of calls)
          await stream.writeSSE({ event: 'line', id: call.callId, data: String(journalRow(call)).trim() })
        if (calls.length + missed === 0) await stream.write(': nothing new\n\n')
      }
    })
  }

  const route = withOrganization(features)
  const root = `${portalPaths.organizations}/:organizationId/journal`
  return new Hono()
    .get(root, route(list))
    .get(`${root}/stream`, route(live))
    .get(`${root}/:callId`, route(one))
    .get(portalPaths.unknownCallers, c => list(c, undefined))
    .get(`${portalPaths.unknownCallers}/stream`, c => live(c, undefined))
    .get(`${portalPaths.unknownCallers}/:callId`, c => one(c, undefined))
}

const filterIn = (c: Context): CallFilter => Object.fromEntries(CALL_FILTERS.map(name => [name, c.req.query(name)]))
