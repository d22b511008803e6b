import { createPublicKey } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import { exportJWK } from 'jose/key/export'
import { refusalRow } from '../../contracts/dialect/refusal-choices.ts'
import { OPERATIONS } from '../../contracts/operations.ts'
import type { Installation } from '../installation/installation-keys-and-certificates.ts'
import type { DialectRegistry } from '../organizations/dialect-registry.ts'
import type { Organization } from '../store/organization-store.ts'
import { Refusal, refusalBody } from '../support/refusal.ts'
import { truncate } from '../support/untrusted-text.ts'
import {
  type ApiCall,
  type ApiContext,
  type ApiEnvironment,
  type IdentifiedCall,
  type RequestLayer,
  respond,
} from './api-call.ts'
import type { Route } from './routes.ts'

export type ApiLayers = {
  beginCall: MiddlewareHandler<ApiEnvironment>
  signAnswers: MiddlewareHandler<ApiEnvironment>
  /** Present only with --variety. */
  varyAnswers?: MiddlewareHandler<ApiEnvironment> | undefined
  limitBody: RequestLayer<ApiCall>
  /** Identifies the organization of a call. */
  requireCertificate: (call: ApiCall) => Promise<Organization>
  limitRate: RequestLayer
  verifySignature: RequestLayer
  requireToken: RequestLayer
  selectVersion: RequestLayer
}

type ApiParts = {
  layers: ApiLayers
  routes: readonly Route[]
  keySet: string
  tokenEndpoint: Handler
  handler: (route: Route) => Handler
  dialects: DialectRegistry
  /** Called with every unexpected error, that is, one that is not a Refusal. */
  onError: (error: unknown) => void
}

type Handler = (c: ApiContext, call: IdentifiedCall) => Promise<Response>

/** Creates the Hono app of the API (4): its routes, and the only definition of the order of the layers. */
export const createApi = ({
  layers,
  routes,
  keySet,
  tokenEndpoint: tokenCall,
  handler,
  dialects,
  onError,
}: ApiParts): Hono<ApiEnvironment> => {
  const api = new Hono<ApiEnvironment>()
  api.use(layers.beginCall)
  api.use(layers.signAnswers)
  if (layers.varyAnswers) api.use(layers.varyAnswers)
  const { limitBody, requireCertificate, limitRate, verifySignature, requireToken, selectVersion } = layers
  const signed = [limitRate, verifySignature]
  const all = [...signed, requireToken, selectVersion]
  /** Wraps a handler so that it runs only after the request has passed the first two and these layers, in order. */
  const behind =
    (others: readonly RequestLayer[], handle: Handler) =>
    async (c: ApiContext): Promise<Response> => {
      await limitBody(c.get('call'))
      const organization = await requireCertificate(c.get('call'))
      const dialect = dialects.of(organization.organizationId)
      const call = Object.assign(c.get('call'), { organization, dialect })
      for (const layer of others) await layer(call)
      return handle(c, call)
    }
  api.get(OPERATIONS.keySet.path, async c => {
    await limitBody(c.get('call'))
    return respond(c, { http: 200, body: keySet })
  })
  api.post(OPERATIONS.token.path, behind([...signed, selectVersion], tokenCall))
  for (const route of routes) api.on(route.method, route.path, behind(all, handler(route)))
  const nowhere = (c: ApiContext, { dialect }: ApiCall): never => {
    const { pathname } = new URL(c.req.url)
    const isClosed = dialect.choices['D-72'] === '403' && isSandboxOnly(c.req.method, pathname)
    const refusal = isClosed ? 'FORBIDDEN' : 'ENDPOINT_NOT_FOUND'
    throw new Refusal(refusal, 'http', `There is no ${c.req.method} ${truncate(pathname)}.`)
  }
  api.all('*', behind(all, nowhere))
  api.onError((error, c) => {
    const refusal =
      error instanceof Refusal ? error : new Refusal('INTERNAL', 'http', 'The service failed unexpectedly.')
    if (refusal !== error) onError(error)
    c.get('call').refusal = refusal
    const { callId, dialect } = c.get('call')
    const { http } = refusalRow(refusal.refusal, dialect.choices)
    return respond(c, { http, body: JSON.stringify(refusalBody(refusal, callId, dialect.choices)) })
  })
  return api
}

/** Whether a path is that of an operation that production does not serve (1, 2.7). */
const isSandboxOnly = (method: string, path: string): boolean =>
  Object.values(OPERATIONS).some(known => 'sandboxOnly' in known && known.method === method && known.path === path)

/** Creates the JWK set (JSON) of the public keys that verify the API's response signatures (5.4). */
export const createKeySet = async ({ serviceKeys }: Installation): Promise<string> => {
  const keys = serviceKeys.map(async ({ keyId, algorithm, publicKey }) => ({
    ...(await exportJWK(createPublicKey(publicKey))),
    kid: keyId,
    use: 'sig',
    alg: algorithm.jwa,
  }))
  return JSON.stringify({ keys: await Promise.all(keys) })
}
