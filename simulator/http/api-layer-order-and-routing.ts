import { createPublicKey } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import { exportJWK } from 'jose/key/export'
import { OPERATIONS, type OperationName } from '../../contracts/operations.ts'
import type { Installation } from '../installation/installation-keys-and-certificates.ts'
import type { Organization } from '../store/organization-store.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import { Refusal, refusalReply } from '../support/refusal.ts'
import { truncate } from '../support/untrusted-text.ts'
import {
  type ApiCall,
  type ApiContext,
  type ApiEnvironment,
  type IdentifiedCall,
  type RequestLayer,
  respond,
} from './api-call.ts'
import type { SpokenTarget } from './dialect-request-and-reply-translation.ts'
import type { FindShownOrganization } from './find-organization-of-refused-call.ts'
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
  findShownOrganization: FindShownOrganization
  /** Called with every unexpected error, that is, one that is not a Refusal. */
  onError: (error: unknown) => void
}

type Handler = (c: ApiContext, call: IdentifiedCall, target: SpokenTarget) => Promise<Response>

/**
 * Creates the Hono app of the payment API (4) from given layers and routes; the only definition of the order of the
 * layers.
 */
export const createApi = ({
  layers,
  routes,
  keySet,
  tokenEndpoint: tokenCall,
  handler,
  dialects,
  findShownOrganization,
  onError,
}: ApiParts): Hono<ApiEnvironment> => {
  const api = new Hono<ApiEnvironment>()
  api.use(layers.beginCall)
  api.use(layers.signAnswers)
  if (layers.varyAnswers) api.use(layers.varyAnswers)
  const { limitBody, requireCertificate, limitRate, verifySignature, requireToken, selectVersion } = layers
  const signed = [limitRate, verifySignature]
  const all = [...signed, requireToken, selectVersion]
  const respondKeySet = async (c: ApiContext, call: ApiCall): Promise<Response> => {
    call.operation = 'keySet'
    return respond(c, { http: 200, body: keySet })
  }
  const nowhere: Handler = (c, { dialect }) => {
    const { pathname } = new URL(c.req.url)
    const meant = dialect.addresses.find(c.req.method, pathname)?.operation
    const named = `There is no ${c.req.method} ${truncate(pathname)}`
    if (meant !== undefined && 'sandboxOnly' in OPERATIONS[meant]) {
      const refusal = dialect.choices['D-72'] === '403' ? 'FORBIDDEN' : 'ENDPOINT_NOT_FOUND'
      throw new Refusal(refusal, 'http', `${named} here: it exists in a sandbox only.`)
    }
    const method = ['GET', 'POST'].find(other => dialect.addresses.find(other, pathname))
    const cure = method ? `its method is ${method}` : 'openapi.yaml, which the pages serve, lists the operations'
    throw new Refusal(method ? 'METHOD_NOT_FOUND' : 'ENDPOINT_NOT_FOUND', 'http', `${named}: ${cure}.`)
  }
  /** The handlers of the operations, each with the layers that its calls pass behind the certificate, in order. */
  const operations = new Map<OperationName, { layers: readonly RequestLayer[]; handle: Handler }>([
    ['token', { layers: [...signed, selectVersion], handle: tokenCall }],
    ['keySet', { layers: all, handle: respondKeySet }],
    ...routes.map(route => [route.operation, { layers: all, handle: handler(route) }] as const),
  ])
  const elsewhere = { layers: all, handle: nowhere }
  api.all('*', async c => {
    const call = c.get('call')
    await limitBody(call)
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const open = dialects.openKeySetAt(method, c.req.path)
    if (open) return respondKeySet(c, Object.assign(call, { dialect: open }))
    const organization = await requireCertificate(call)
    const dialect = dialects.of(organization.organizationId)
    const identified = Object.assign(call, { organization, dialect })
    const query = new URLSearchParams(/\?(.*)$/s.exec(call.incoming.url ?? '')?.[1])
    const address = dialect.addresses.find(method, c.req.path, query)
    if (dialect.lenses && address) call.operation = address.operation
    const { layers: others, handle } = (address && operations.get(address.operation)) ?? elsewhere
    for (const layer of others) await layer(identified)
    return handle(c, identified, { parameters: {}, ...address, query })
  })
  api.onError(async (error, c) => {
    const refusal =
      error instanceof Refusal ? error : new Refusal('INTERNAL', 'http', 'The service failed unexpectedly.')
    if (refusal !== error) onError(error)
    const call = c.get('call')
    call.refusal = refusal
    const shown = call.organization ?? (await findShownOrganization(call))
    if (shown) call.organization = shown
    return respond(c, refusalReply(refusal, call.callId, call.dialect.choices))
  })
  return api
}

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
