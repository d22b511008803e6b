import { createPublicKey } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import { exportJWK } from 'jose/key/export'
import type { Installation } from '../operator/installation.ts'
import { KEY_SET_PATH } from '../operator/kit.ts'
import { Refusal, refusalBody } from '../refusal.ts'
import { type ApiContext, type ApiEnvironment, type Layer, respond } from './call.ts'
import { clip } from './clip.ts'
import { type Route, TOKEN_PATH } from './routes.ts'

export type Layers = {
  beginCall: MiddlewareHandler<ApiEnvironment>
  signAnswers: MiddlewareHandler<ApiEnvironment>
  /** Only where variety is on. */
  varyAnswers?: MiddlewareHandler<ApiEnvironment> | undefined
  limitBody: Layer
  requireCertificate: Layer
  limitRate: Layer
  verifySignature: Layer
  requireToken: Layer
  selectVersion: Layer
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

type Answer = (c: ApiContext) => Promise<Response> | Response

/** An answer for those calls alone that pass these layers, one after the other. */
const behind =
  (layers: readonly Layer[], answer: Answer) =>
  async (c: ApiContext): Promise<Response> => {
    const call = c.get('call')
    for (const layer of layers) {
      const passed = layer(call)
      if (passed) await passed
    }
    return answer(c)
  }

/** The API of clause 4: the order of the layers stands here and nowhere else. */
export const createApi = ({ layers, routes, keySet, tokenCall, handler, onFault }: ApiParts): Hono<ApiEnvironment> => {
  const api = new Hono<ApiEnvironment>()
  api.use(layers.beginCall)
  api.use(layers.signAnswers)
  if (layers.varyAnswers) api.use(layers.varyAnswers)
  const { limitBody, requireCertificate, limitRate, verifySignature, requireToken, selectVersion } = layers
  const signed = [limitBody, requireCertificate, limitRate, verifySignature]
  const all = [...signed, requireToken, selectVersion]
  api.get(
    KEY_SET_PATH,
    behind([limitBody], c => respond(c, { http: 200, body: keySet })),
  )
  api.post(TOKEN_PATH, behind([...signed, selectVersion], tokenCall))
  for (const route of routes) api.on(route.method, route.path, behind(all, handler(route)))
  const nowhere = (c: ApiContext) => {
    throw new Refusal('ENDPOINT_NOT_FOUND', 'http', `There is no ${c.req.method} ${clip(new URL(c.req.url).pathname)}.`)
  }
  api.all('*', behind(all, nowhere))
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
