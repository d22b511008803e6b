import { type Context, Hono } from 'hono'
import type { OrganizationView } from '../../organization-with-clock.ts'
import { respondWithPage } from '../../page-response.ts'
import { findOrUndefined, formResult } from '../forms/form-result.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { comparePage } from './compare-page.ts'
import type { CallView } from './journal-call-types.ts'
import {
  CALL_FILTERS,
  type CallFilter,
  type CallPage,
  callPage,
  journalPage,
  journalPath,
  newCalls,
} from './journal-page.ts'

type Whose = string | undefined

/**
 * Features of the simulator that the portal's pages of the journal need; without an organization, of callers who have
 * none.
 */
export type JournalFeatures = OrganizationPages & {
  journal: {
    /** Calls newest first: those older than `before`, or those that came after `after`. */
    page: (
      whose: Whose,
      query: CallFilter & { before?: string | undefined; after?: string | undefined; limit: number },
    ) => Promise<CallPage>
    find: (whose: Whose, callId: string) => CallView
  }
}

/** Calls on one page of the journal: by default, and at most where the script asks for more. */
const [LINES, MOST] = [25, 500]

/** Calls of the same kind among which one is compared. */
const COMPARABLE = 20

/** Creates the routes of the portal's journal: pages, single calls, and what came after a call, of which the live page asks. */
export const journalRoutes = (features: JournalFeatures): Hono => {
  const { journal } = features
  const list = async (c: Context, organization: OrganizationView | undefined) => {
    const [filter, before, after] = [filterIn(c), c.req.query('before'), c.req.query('after')]
    const seen = organization?.seen ?? features.changes.position('')
    const limit = Math.min(Number(c.req.query('limit')) || LINES, MOST)
    const result = await formResult(() =>
      journal.page(organization?.organizationId, { ...filter, before, after, limit }),
    )
    const page = 'done' in result ? result.done : { calls: [], more: false }
    if (after !== undefined) return respondWithPage(c, newCalls(page))
    const { call: wanted } = c.req.query()
    const open = wanted && (await findOrUndefined(() => journal.find(organization?.organizationId, wanted)))
    const shown = { organization, filter, before, page, open: open || undefined, seen }
    const form = 'refused' in result ? { ...result, typed: c.req.query() } : {}
    return respondWithPage(c, journalPage(pageRequestData(c, features, form), shown))
  }
  const one = async (c: Context, organization: OrganizationView | undefined) => {
    const call = await findOrUndefined(() => journal.find(organization?.organizationId, c.req.param('callId') ?? ''))
    return respondWithPage(c, callPage(organization, call), 'here', call ? 200 : 404)
  }
  const compare = async (c: Context, organization: OrganizationView | undefined) => {
    const whose = organization?.organizationId
    const call = await findOrUndefined(() => journal.find(whose, c.req.param('callId') ?? ''))
    if (!call) return respondWithPage(c, callPage(organization, undefined), 'here', 404)
    const path = call.operation ?? call.request.target.split('?', 1)[0]
    const kind = { method: call.request.method, path, limit: COMPARABLE + 1 }
    const others = (await journal.page(whose, kind)).calls.filter(({ callId }) => callId !== call.callId)
    const { with: wanted } = c.req.query()
    const other =
      wanted === undefined
        ? (others.find(({ at }) => at <= call.at) ?? others[0])
        : await findOrUndefined(() => journal.find(whose, wanted))
    const shown = other && !others.some(({ callId }) => callId === other.callId) ? [other, ...others] : others
    return respondWithPage(
      c,
      comparePage({ organization, journal: journalPath(organization), call, other, others: shown }),
    )
  }

  const route = withOrganization(features)
  const root = `${portalPaths.organizations}/:organizationId/journal`
  return new Hono()
    .get(root, route(list))
    .get(`${root}/:callId`, route(one))
    .get(`${root}/:callId/compare`, route(compare))
    .get(portalPaths.unknownCallers, c => list(c, undefined))
    .get(`${portalPaths.unknownCallers}/:callId`, c => one(c, undefined))
    .get(`${portalPaths.unknownCallers}/:callId/compare`, c => compare(c, undefined))
}

const filterIn = (c: Context): CallFilter => Object.fromEntries(CALL_FILTERS.map(name => [name, c.req.query(name)]))
