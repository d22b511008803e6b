import { type Context, Hono } from 'hono'
import { answerNotFound, answerPage } from '../answer.ts'
import { DELIVERY_STATES } from './deliveries-section.ts'
import { endpointPage } from './endpoint-page.ts'
import { formAct, type Given, pageOf, type Show, statusOf } from './form-act.ts'
import { portalPaths } from './paths.ts'
import type { PortalPort } from './port.ts'
import { visitOf } from './visit.ts'
import { webhooksPage } from './webhooks-page.ts'

const LIMIT = 50
const all = `${portalPaths.organizations}/:organizationId/webhooks`
const one = `${all}/:endpointId`

/** Endpoints: all of them, and one that is tried out, changed, given up (6). */
export const endpointRoutes = (port: PortalPort): Hono => {
  const { webhooks } = port
  const [of, act, show] = [pageOf(port), formAct(port), showOne(port)]
  const showList = showAll(port)
  const toOne = ({ organizationId }: Given, made: string) => portalPaths.endpoint(organizationId, made)
  const toSame = ({ organizationId, id }: Given) => portalPaths.endpoint(organizationId, id)
  const toAll = ({ organizationId }: Given) => portalPaths.webhooks(organizationId)
  const toDelivery = ({ organizationId }: Given, made: string) => portalPaths.delivery(organizationId, made)

  const add = ({ organizationId, typed, types }: Given) => webhooks.add(organizationId, typed.url ?? '', types)
  const test = ({ organizationId, id }: Given) => webhooks.test(organizationId, id)
  const enable = ({ organizationId, id }: Given) => webhooks.change(organizationId, id, { enabled: true })
  const disable = ({ organizationId, id }: Given) => webhooks.change(organizationId, id, { enabled: false })
  const change = ({ organizationId, id, typed, types }: Given) =>
    webhooks.change(organizationId, id, { url: typed.url ?? '', types: types.length > 0 ? types : webhooks.types })
  const rotate = ({ organizationId, id, typed }: Given) => webhooks.rotate(organizationId, id, typed.overlap ?? '')
  const replay = ({ organizationId, id, typed }: Given) => webhooks.replay(organizationId, id, typed.last ?? '')
  const remove = ({ organizationId, id }: Given) => webhooks.remove(organizationId, id)

  const changed = { show, done: 'endpoint-changed', to: toSame } as const
  return new Hono()
    .get(all, of(showList))
    .post(all, act({ ask: add, show: showList, done: 'endpoint-added', to: toOne }))
    .get(one, of(show))
    .post(`${one}/test`, act({ ask: test, show, done: 'test-sent', to: toDelivery }))
    .post(`${one}/enable`, act({ ask: enable, ...changed }))
    .post(`${one}/disable`, act({ ask: disable, ...changed }))
    .post(`${one}/change`, act({ ask: change, ...changed }))
    .post(`${one}/rotate`, act({ ask: rotate, show, done: 'secret-rotated', to: toSame }))
    .post(`${one}/replay`, act({ ask: replay, show, done: 'replayed', to: toSame }))
    .post(`${one}/delete`, act({ ask: remove, show, done: 'endpoint-deleted', to: toAll }))
}

const showAll =
  (port: PortalPort): Show =>
  async (c, organization, form = {}) => {
    const { organizationId } = organization
    const state = stateIn(c)
    const shown = {
      types: port.webhooks.types,
      endpoints: await port.webhooks.endpoints(organizationId),
      deliveries: await port.webhooks.deliveries(organizationId, { state, limit: LIMIT }),
      state,
    }
    return answerPage(c, webhooksPage(visitOf(c, port, form), organization, shown), 'here', statusOf(form))
  }

const showOne =
  (port: PortalPort): Show =>
  async (c, organization, form = {}) => {
    const { organizationId } = organization
    const endpointId = c.req.param('endpointId') ?? ''
    const endpoint = await port.webhooks.endpoint(organizationId, endpointId)
    if (!endpoint) return answerNotFound(c)
    const state = stateIn(c)
    const deliveries = await port.webhooks.deliveries(organizationId, { endpointId, state, limit: LIMIT })
    const shown = { types: port.webhooks.types, endpoint, deliveries, state }
    return answerPage(c, endpointPage(visitOf(c, port, form), organization, shown), 'here', statusOf(form))
  }

const stateIn = (c: Context) => DELIVERY_STATES.find(state => state === c.req.query('state'))
