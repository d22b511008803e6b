import { createPublicKey } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import { exportJWK } from 'jose/key/export'
import type { Installation } from '../operator/installation.ts'
import { KEY_SET_PATH } from '../operator/kit.ts'
import { Refusal, refusalBody } from '../refusal.ts'
import { type ApiContext, type ApiEnvironment, respond } from './call.ts'
import { clip } from './clip.ts'
import { type Route, TOKEN_PATH } from './routes.ts'

export type Layers = {
  beginCall: MiddlewareHandler<ApiEnvironment>
  signAnswers: MiddlewareHandler<ApiEnvironment>
  /** Only where variety is on. */
  varyAnswers?: MiddlewareHandler<ApiEnvironment> | undefined
  limitBody: MiddlewareHandler<ApiEnvironment>
  requireCertificate: MiddlewareHandler<ApiEnvironment>
  limitRate: MiddlewareHandler<ApiEnvironment>
  verifySignature: MiddlewareHandler<ApiEnvironment>
  requireToken: MiddlewareHandler<ApiEnvironment>
  selectVersion: MiddlewareHandler<ApiEnvironment>
}

export type ApiParts = {
  layers: Layers
  routes: readonly Route[]
  keySet: string
  tokenCall: (c: ApiContext) => Promise<Response>
  handler: (route: Route) => (c: ApiContext) => Promise<Response>
  /** Told of every failure that is nobody's fault but ours. */
  onFault: (error: unknown) => void
}

/** The API of clause 4: the order of the layers stands here and nowhere else. */
export const createApi = ({ layers, routes, keySet, tokenCall, handler, onFault }: ApiParts): Hono<ApiEnvironment> => {
  const api = new Hono<ApiEnvironment>()
  api.use(layers.beginCall)
  api.use(layers.signAnswers)
  if (layers.varyAnswers) api.use(layers.varyAnswers)
  api.use(layers.limitBody)
  api.get(KEY_SET_PATH, c => respond(c, { http: 200, body: keySet }))
  api.use(layers.requireCertificate)
  api.use(layers.limitRate)
  api.use(layers.verifySignature)
  api.post(TOKEN_PATH, layers.selectVersion, tokenCall)
  api.use(layers.requireToken)
  api.use(layers.selectVersion)
  for (const route of routes) api.on(route.method, route.path, handler(route))
  api.notFound(c => {
    throw new Refusal('ENDPOINT_NOT_FOUND', 'http', `There is no ${c.req.method} ${clip(new URL(c.req.url).pathname)}.`)
  })
  api.onError((error, c) => {
    const refusal =
      error instanceof Refusal ? error : new Refusal('INTERNAL', 'http', 'The service failed unexpectedly.')
    if (refusal !== error) onFault(error)
    c.get('call').refusal = refusal
    return respond(c, { http: refusal.row.http, body: JSON.stringify(refusalBody(refusal, c.get('call').callId)) })
  })
  return api
}

/** The public keys that answers are verified with, as a JWK set (5.4). */
export const keySetOf = async ({ serviceKeys }: Installation): Promise<string> => {
  const keys = serviceKeys.map(async ({ keyId, algorithm, publicKey }) => ({
    ...(await exportJWK(createPublicKey(publicKey))),
    kid: keyId,
    use: 'sig',
    alg: algorithm.jwa,
  }))
  return JSON.stringify({ keys: await Promise.all(keys) })
}
