import { type Context, Hono } from 'hono'
import { respondNotFound, respondWithPage, respondWithSecretPage } from '../../page-response.ts'
import { english } from '../../text-lookup-by-language.ts'
import { formRoute, pageRoute, type ShowPage, type Submitted, statusOf } from '../forms/form-and-page-handlers.ts'
import { FormError, findOrUndefined } from '../forms/form-result.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import type { OrganizationPages } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { outcomeOf, readBulkResend, resendQuery } from './bulk-resend-outcome.ts'
import { type DeliveryCount, type DeliveryList, type DeliveryView, SHOWN_STATES } from './deliveries-section.ts'
import type { EndpointView } from './endpoint-forms.ts'
import { endpointPage } from './endpoint-page.ts'
import { webhooksPage } from './webhooks-page.ts'

/** Features of the simulator that the portal's pages of webhook endpoints need. */
export type EndpointFeatures = OrganizationPages & {
  endpoints: {
    /** The types of notifications that an endpoint can receive. */
    types: readonly string[]
    list: (organizationId: string) => Promise<readonly EndpointView[]>
    find: (organizationId: string, endpointId: string) => Promise<EndpointView>
    add: (organizationId: string, endpoint: { url: string; types?: readonly string[] }) => Promise<EndpointView>
    change: (organizationId: string, endpointId: string, change: EndpointChange) => Promise<unknown>
    remove: (organizationId: string, endpointId: string) => Promise<unknown>
    /** The secrets before the new one go on signing for so many milliseconds. */
    rotate: (organizationId: string, endpointId: string, overlap: number) => Promise<unknown>
    /** Sends a test; the result is its deliveryId. */
    ping: (organizationId: string, endpointId: string) => Promise<string>
    /** Sends once more what was due since an instant. */
    replay: (organizationId: string, endpointId: string, since: number) => Promise<unknown>
  }
  deliveries: {
    list(organizationId: string, query: DeliveryQuery): Promise<readonly DeliveryView[]>
    count(organizationId: string): Promise<readonly DeliveryCount[]>
    /** Sends those in a state again. */
    resendAll(organizationId: string, which: ResentDeliveries): Promise<{ resent: number; skipped: number }>
  }
  realNow: () => number
  /** Milliseconds of an ISO 8601 duration; undefined where the text is none. */
  parseDuration: (text: string) => number | undefined
}
type EndpointChange = { url: string; types: readonly string[] } | { enabled: boolean }
type DeliveryQuery = {
  endpointId?: string | undefined
  transactionId?: string | undefined
  state?: DeliveryView['state'] | undefined
  isTried?: boolean | undefined
  before?: string | undefined
  limit: number
}

type ResentDeliveries = Pick<DeliveryQuery, 'endpointId' | 'transactionId' | 'state' | 'isTried'>

/** Deliveries on the page of all endpoints, and on that of one, which shows a secret and is not compressed. */
const [ROWS, ROWS_OF_ONE] = [50, 25]
const all = `${portalPaths.organizations}/:organizationId/webhooks`
const one = `${all}/:endpointId`

/** Creates the portal's routes to list, add, test, change and delete webhook endpoints (6). */
export const endpointRoutes = (features: EndpointFeatures): Hono => {
  const { endpoints, deliveries, now, realNow, parseDuration } = features
  const [page, form, show, showList] = [pageRoute(features), formRoute(features), showOne(features), showAll(features)]
  const toOne = ({ organizationId }: Submitted, endpointId: string) => portalPaths.endpoint(organizationId, endpointId)
  const toSame = ({ organizationId, id }: Submitted) => portalPaths.endpoint(organizationId, id)
  const toAll = ({ organizationId }: Submitted) => portalPaths.webhooks(organizationId)
  const toDelivery = ({ organizationId }: Submitted, deliveryId: string) =>
    portalPaths.delivery(organizationId, deliveryId)
  const millisecondsOf = (text = ''): number => {
    const duration = parseDuration(text)
    if (duration !== undefined) return duration
    throw new FormError(`"${text.slice(0, 40)}" is no duration: give one such as PT24H or PT0S.`)
  }

  const add = async ({ organizationId, typed: { url = '' }, types }: Submitted) =>
    (await endpoints.add(organizationId, { url, ...(types.length > 0 ? { types } : {}) })).endpointId
  const test = ({ organizationId, id }: Submitted) => endpoints.ping(organizationId, id)
  const enable = ({ organizationId, id }: Submitted) => endpoints.change(organizationId, id, { enabled: true })
  const disable = ({ organizationId, id }: Submitted) => endpoints.change(organizationId, id, { enabled: false })
  const change = ({ organizationId, id, typed: { url = '' }, types }: Submitted) =>
    endpoints.change(organizationId, id, { url, types: types.length > 0 ? types : endpoints.types })
  const rotate = async ({ organizationId, id, typed }: Submitted) =>
    endpoints.rotate(organizationId, id, millisecondsOf(typed.overlap))
  const replay = async ({ organizationId, id, typed }: Submitted) =>
    endpoints.replay(organizationId, id, now(organizationId) - millisecondsOf(typed.last))
  const remove = ({ organizationId, id }: Submitted) => endpoints.remove(organizationId, id)
  const resendAll = async ({ organizationId, id, typed: { state, transactionId } }: Submitted) => {
    const about = { endpointId: id || undefined, transactionId: transactionId || undefined }
    const since = realNow()
    return resendQuery({ since, ...(await deliveries.resendAll(organizationId, { ...about, ...inState(state) })) })
  }
  const toResent = (form: Submitted, query: string) => `${form.id ? toSame(form) : toAll(form)}?${query}#deliveries`

  const changed = { show, done: 'endpoint-changed', to: toSame } as const
  return new Hono()
    .get(all, page(showList))
    .post(all, form({ submit: add, show: showList, done: 'endpoint-added', to: toOne }))
    .post(`${all}/resend`, form({ submit: resendAll, show: showList, to: toResent }))
    .get(one, page(show))
    .post(`${one}/resend`, form({ submit: resendAll, show, to: toResent }))
    .post(`${one}/test`, form({ submit: test, show, done: 'test-sent', to: toDelivery }))
    .post(`${one}/enable`, form({ submit: enable, ...changed }))
    .post(`${one}/disable`, form({ submit: disable, ...changed }))
    .post(`${one}/change`, form({ submit: change, ...changed }))
    .post(`${one}/rotate`, form({ submit: rotate, show, done: 'secret-rotated', to: toSame }))
    .post(`${one}/replay`, form({ submit: replay, show, done: 'replayed', to: toSame }))
    .post(`${one}/delete`, form({ submit: remove, show, done: 'endpoint-deleted', to: toAll }))
}

const showAll =
  (features: EndpointFeatures): ShowPage =>
  async (c, organization, form = {}) => {
    const { organizationId } = organization
    const shown = {
      types: features.endpoints.types,
      endpoints: await features.endpoints.list(organizationId),
      list: await listDeliveries(features, c, organizationId),
    }
    return respondWithPage(
      c,
      webhooksPage(pageRequestData(c, features, form), organization, shown),
      'here',
      statusOf(form),
    )
  }

const showOne =
  (features: EndpointFeatures): ShowPage =>
  async (c, organization, form = {}) => {
    const { organizationId } = organization
    const { endpoints } = features
    const endpointId = c.req.param('endpointId') ?? ''
    const endpoint = await findOrUndefined(() => endpoints.find(organizationId, endpointId))
    if (!endpoint) return respondNotFound(c, english)
    const list = await listDeliveries(features, c, organizationId, endpointId)
    const shown = { types: endpoints.types, endpoint, list }
    return respondWithSecretPage(
      c,
      endpointPage(pageRequestData(c, features, form), organization, shown),
      statusOf(form),
    )
  }

/** The part of a query that selects deliveries shown in a state. */
const inState = (shown: string | undefined): Pick<DeliveryQuery, 'state' | 'isTried'> => {
  const state = SHOWN_STATES.find(one => one === shown)
  return state === 'failing' || state === 'waiting' ? { state: 'waiting', isTried: state === 'failing' } : { state }
}

/** What came of the bulk resend that an address names. */
const resentOf = async ({ deliveries }: EndpointFeatures, c: Context, organizationId: string, endpointId?: string) => {
  const resend = readBulkResend(c.req.query())
  return resend && outcomeOf(resend, page => deliveries.list(organizationId, { endpointId, ...page }))
}

/** The page of deliveries that an address asks for. */
const listDeliveries = async (
  features: EndpointFeatures,
  c: Context,
  organizationId: string,
  endpointId?: string,
): Promise<DeliveryList> => {
  const { deliveries } = features
  const { state, transactionId, before } = c.req.query()
  const limit = endpointId === undefined ? ROWS : ROWS_OF_ONE
  const about = { endpointId, transactionId: transactionId?.trim() || undefined, before: before || undefined }
  const found = await deliveries.list(organizationId, { ...about, ...inState(state), limit: limit + 1 })
  const shown = found.slice(0, limit)
  return {
    deliveries: shown,
    counts: (await deliveries.count(organizationId)).filter(one => (endpointId ?? one.endpointId) === one.endpointId),
    state: SHOWN_STATES.find(one => one === state),
    transactionId: about.transactionId,
    outcome: await resentOf(features, c, organizationId, endpointId),
    older: found.length > limit ? shown.at(-1)?.deliveryId : undefined,
  }
}
