import type { Context, Hono, MiddlewareHandler, Next } from 'hono'
import type { ApiBindings } from '../http/api-call.ts'
import { ControlError } from '../support/control-error.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'
import type { ControlTokenVerifier } from './control-token-verifier.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Does work in the next turn of the organization in a costly call's path. */
    inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  }
}

/** Paths of control below an organization whose calls are costly, as each may read or write all that it has. */
const COSTLY = [
  'certificates',
  'conduct',
  'deliveries',
  'deliveries/resend',
  'drills/*',
  'inbox',
  'journal',
  'journal.har',
  'mandates',
  'openapi.yaml',
  'payments',
  'payments.csv',
  'payments/totals',
  'payments/:transactionId/timeline',
  'payments/:transactionId/timeline.svg',
  'reports/*',
  'reset',
  'search',
  'snapshots/*',
  'statistics',
  'webhooks/:endpointId/replay',
].map(path => `/organizations/:organizationId/${path}`)
/** Calls that issue or parse something, so that only those which change something are costly. */
const COSTLY_ACTS = ['dialect', 'kit', 'signing-keys'].map(path => `/organizations/:organizationId/${path}`)
/** The same calls for what belongs to no organization. */
const COSTLY_OF_NOBODY = ['/journal', '/journal.har']
/** Pages of the portal; the stream of changes lasts and takes no turn, nor does a call that is refused. */
const PAGES = '/portal/organizations/:organizationId/*'

/** Most costly calls of an organization whose responses are not written yet, those that wait for their turn included. */
const MOST = 32
/** Most downloads of a snapshot of an organization that are written at once: each holds the whole document. */
const MOST_DOWNLOADS = 2

/** Most searches of the signature lab of an organization, those that wait included: each may take 8 seconds. */
const MOST_SEARCHES = 8

/**
 * Creates the turns that the costly calls of an organization take, so that those of others come between; calls beyond a
 * limit are refused. The costly calls of control share them with the pages of the portal.
 */
export const createTurnsInOrganizations = () => {
  const oneAtATime = createOneAtATime()
  const limit = limitOpenCalls('costly calls', MOST)
  const limitDownloads = limitOpenCalls('downloads of snapshots', MOST_DOWNLOADS)
  const limitSearches = limitOpenCalls('searches of the signature lab', MOST_SEARCHES)
  const takeTurn = async (c: Context, next: Next): Promise<void> => {
    const { signal } = c.req.raw // made before the wait: later it would not tell that the client has gone
    const inTurn: typeof c.var.inTurn = work => oneAtATime(nameOf(c), work)
    c.set('inTurn', inTurn)
    return inTurn(async () => {
      if (signal.aborted) c.res = notDone()
      else await next()
    })
  }
  return {
    ofControl: (control: Hono): void => {
      for (const path of [...COSTLY, ...COSTLY_OF_NOBODY]) control.use(path, limit, takeTurn)
      for (const path of COSTLY_ACTS) control.use(path, ofActs(limit), ofActs(takeTurn))
      control.get('/organizations/:organizationId/snapshots/:name', limitDownloads)
      control.use('/organizations/:organizationId/lab', limitSearches)
    },
    ofPortal: (site: Hono<{ Bindings: ApiBindings }>, token: Pick<ControlTokenVerifier, 'permits'>): void => {
      site.use(PAGES, async (c, next) => {
        const isOther = c.req.path.endsWith('/stream') || (await token.permits(c)).is !== 'permitted'
        if (isOther) return next()
        return c.req.path.endsWith('/lab') ? limitSearches(c, next) : limit(c, () => takeTurn(c, next))
      })
    },
  }
}

/** Restricts a middleware to calls that change something. */
const ofActs =
  (middleware: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    ['GET', 'HEAD'].includes(c.req.method) ? next() : middleware(c, next)

/** The response that nobody reads any more, to a call that is not done: for the line of the act. */
const notDone = (): Response => new Response(null, { status: 499 })

/** Creates the middleware that refuses calls of an organization while so many of them have no complete response. */
const limitOpenCalls = (what: string, most: number): MiddlewareHandler => {
  const open = new Map<string, number>()
  const add = (name: string, change: number): void => {
    const count = (open.get(name) ?? 0) + change
    if (count === 0) open.delete(name)
    else open.set(name, count)
  }
  return async (c, next) => {
    const { outgoing } = c.env as ApiBindings
    if (outgoing.destroyed) return notDone() // the client has gone, and no event will say so any more
    const name = nameOf(c)
    if ((open.get(name) ?? 0) >= most)
      throw new ControlError(
        'busy',
        `${most} ${what} of this organization are under way: try again when one has ended.`,
      )
    add(name, 1)
    outgoing.once('close', () => add(name, -1))
    return next()
  }
}

const nameOf = (c: Context): string => c.req.param('organizationId') ?? ''
