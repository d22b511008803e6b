import { Hono } from 'hono'
import { respondWithPage, respondWithSecretPage } from '../../page-response.ts'
import { formRoute, pageRoute, type ShowPage, type Submitted, statusOf } from '../forms/form-and-page-handlers.ts'
import { FormError, findOrUndefined } from '../forms/form-result.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { respondNotFoundIn } from '../layout/not-found-page.ts'
import type { OrganizationPages } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { wantedOf } from './deliveries-section.ts'
import { rowAnchor } from './delivery-row.ts'
import { type DeliveryQuery, inState } from './delivery-view.ts'
import type { EndpointView } from './endpoint-forms.ts'
import { endpointPage } from './endpoint-page.ts'
import { readFailingEndpoints } from './failing-endpoints.ts'
import { type DeliveryListFeatures, listDeliveries, paymentsNamed } from './list-deliveries.ts'
import { resendQuery } from './resend-outcome.ts'
import { webhooksPage } from './webhooks-page.ts'

/** Features of the simulator that the portal's pages of webhook endpoints need. */
export type EndpointFeatures = OrganizationPages &
  DeliveryListFeatures & {
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
      resend: (organizationId: string, deliveryId: string) => Promise<unknown>
      /** Sends those in a state again; `at` is the real time by which their outcome is counted. */
      resendAll(
        organizationId: string,
        which: ResentDeliveries,
      ): Promise<{ resent: number; skipped: number; at: number }>
    }
    /** Milliseconds of an ISO 8601 duration; undefined where the text is none. */
    parseDuration: (text: string) => number | undefined
  }
type EndpointChange = { url: string; types: readonly string[] } | { enabled: boolean }
type ResentDeliveries = Omit<DeliveryQuery, 'before' | 'limit'>

/** Deliveries on the page of all endpoints, and on that of one, which shows a secret and is not compressed. */
const [ROWS, ROWS_OF_ONE] = [50, 25]
const all = `${portalPaths.organizations}/:organizationId/webhooks`
const one = `${all}/:endpointId`

/** Creates the portal's routes to list, add, test, change and delete webhook endpoints (6). */
export const endpointRoutes = (features: EndpointFeatures): Hono => {
  const { endpoints, deliveries, now, parseDuration } = features
  const [page, form, show, showList] = [pageRoute(features), formRoute(features), showOne(features), showAll(features)]
  const toOne = ({ organizationId }: Submitted, endpointId: string) => portalPaths.endpoint(organizationId, endpointId)
  const toSame = ({ organizationId, id }: Submitted) => portalPaths.endpoint(organizationId, id)
  const toAll = ({ organizationId }: Submitted) => portalPaths.webhooks(organizationId)
  const toTested = ({ organizationId }: Submitted, deliveryId: string) =>
    `${portalPaths.delivery(organizationId, deliveryId)}?asked=test`
  const millisecondsOf = (text = ''): number => {
    const duration = parseDuration(text)
    if (duration !== undefined) return duration
    throw new FormError(
      `"${text.slice(0, 40)}" is no duration of days, hours, minutes and seconds: give one such as PT24H or PT0S.`,
    )
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
    const about = {
      endpointId: id || undefined,
      transactionId: await paymentsNamed(features, organizationId, transactionId),
    }
    const { at, ...resent } = await deliveries.resendAll(organizationId, { ...about, ...inState(state) })
    return resendQuery({ ...resent, since: at })
  }
  const pageOf = (form: Submitted) => (form.id ? toSame(form) : toAll(form))
  const toResent = (form: Submitted, query: string) => `${pageOf(form)}?${query}#deliveries`
  const resendOne = ({ organizationId, typed: { delivery = '' } }: Submitted) =>
    deliveries.resend(organizationId, delivery)
  const toRow = (form: Submitted) => {
    const { delivery = '', ...filter } = form.typed
    return `${pageOf(form)}?${new URLSearchParams({ ...wantedOf(filter), again: delivery })}#${rowAnchor(delivery)}`
  }

  const changed = { show, done: 'endpoint-changed', to: toSame } as const
  return new Hono()
    .get(all, page(showList))
    .post(all, form({ submit: add, show: showList, done: 'endpoint-added', creates: 'endpointId', to: toOne }))
    .post(`${all}/resend`, form({ submit: resendAll, show: showList, to: toResent }))
    .post(`${all}/again`, form({ submit: resendOne, show: showList, to: toRow }))
    .get(one, page(show))
    .post(`${one}/resend`, form({ submit: resendAll, show, to: toResent }))
    .post(`${one}/again`, form({ submit: resendOne, show, to: toRow }))
    .post(`${one}/test`, form({ submit: test, show, to: toTested }))
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
    const [endpoints, list] = await Promise.all([
      features.endpoints.list(organizationId),
      listDeliveries(features, organizationId, { asked: { ...c.req.query(), ...form.typed }, limit: ROWS }),
    ])
    const failing = await readFailingEndpoints(features, organizationId, endpoints, list.counts)
    const shown = { types: features.endpoints.types, endpoints, failing, list }
    const page = webhooksPage(pageRequestData(c, features, form), organization, shown)
    return respondWithPage(c, page, 'here', statusOf(form))
  }

const showOne =
  (features: EndpointFeatures): ShowPage =>
  async (c, organization, form = {}) => {
    const { organizationId } = organization
    const endpointId = c.req.param('endpointId') ?? ''
    const endpoint = await findOrUndefined(() => features.endpoints.find(organizationId, endpointId))
    if (!endpoint) return respondNotFoundIn(c, organization, 'webhooks', 'endpoint')
    const asked = { ...c.req.query(), ...form.typed }
    const list = await listDeliveries(features, organizationId, { asked, endpointId, limit: ROWS_OF_ONE })
    const [failing] = await readFailingEndpoints(features, organizationId, [endpoint], list.counts)
    const shown = { types: features.endpoints.types, endpoint, failing, list }
    return respondWithSecretPage(
      c,
      endpointPage(pageRequestData(c, features, form), organization, shown),
      statusOf(form),
    )
  }
