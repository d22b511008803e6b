import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { answerPage } from '../answer.ts'
import type { OrganizationView } from '../port.ts'
import { sayFor } from '../say-for.ts'
import { callPage, journalPage } from './journal-page.ts'
import { journalRow } from './journal-row.ts'
import { CALL_WISHES, type CallWish, type JournalPort } from './live-port.ts'
import { ofOrganization } from './of-organization.ts'
import { portalPaths } from './paths.ts'
import type { PortalPort } from './port.ts'
import { visitOf } from './visit.ts'

/** Lines on one page, as many as its weight allows; the script asks for more at once. */
const [LINES, MOST] = [25, 200]

/** The journal: page by page, call by call, and live as lines of HTML. */
export const journalRoutes = (port: Pick<PortalPort, 'access' | 'organizations'> & { journal: JournalPort }): Hono => {
  const { journal } = port
  const list = (c: Context, organization: OrganizationView | undefined) => {
    const [wish, before] = [wishIn(c), c.req.query('before')]
    const page = journal.page(organization?.organizationId, {
      ...wish,
      before,
      limit: Math.min(Number(c.req.query('limit')) || LINES, MOST),
    })
    return answerPage(c, journalPage(visitOf(c, port), { organization, wish, before, page }))
  }
  const one = async (c: Context, organization: OrganizationView | undefined) => {
    const call = await journal.find(organization?.organizationId, c.req.param('callId') ?? '')
    return answerPage(c, callPage(sayFor(c), organization, call), 'here', call ? 200 : 404)
  }
  const live = (c: Context, organization: OrganizationView | undefined) => {
    return streamSSE(c, async stream => {
      const gone = new AbortController()
      stream.onAbort(() => gone.abort())
      const after = c.req.header('last-event-id') || c.req.query('after') || undefined
      await stream.write('retry: 1000\n\n')
      const news = journal.follow(organization?.organizationId, wishIn(c), { after, signal: gone.signal })
      for await (const { calls, missed } of news) {
        if (missed > 0) await stream.writeSSE({ event: 'missed', data: String(missed) })
        for (const call of calls)
          await stream.writeSSE({ event: 'line', id: call.callId, data: String(journalRow(call)).trim() })
        if (calls.length + missed === 0) await stream.write(': nothing new\n\n')
      }
    })
  }

  const of = ofOrganization(port)
  const root = `${portalPaths.organizations}/:organizationId/journal`
  return new Hono()
    .get(root, of(list))
    .get(`${root}/stream`, of(live))
    .get(`${root}/:callId`, of(one))
    .get(portalPaths.strangers, c => list(c, undefined))
    .get(`${portalPaths.strangers}/stream`, c => live(c, undefined))
    .get(`${portalPaths.strangers}/:callId`, c => one(c, undefined))
}

const wishIn = (c: Context): CallWish => Object.fromEntries(CALL_WISHES.map(name => [name, c.req.query(name)]))
