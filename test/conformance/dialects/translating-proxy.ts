import { constants, createPublicKey } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { OPERATIONS, type OperationName } from '../../../contracts/operations.ts'
import type { SigningKey } from '../../../contracts/protocol/sign-messages.ts'
import {
  type CertificateAndKeyCache,
  createCertificateAndKeyCache,
} from '../../../simulator/http/certificate-and-key-cache.ts'
import { signResponseHeaders } from '../../../simulator/http/layers/sign-response.ts'
import type { Config } from '../../../simulator/options/options.ts'
import type { Store } from '../../../simulator/store/store.ts'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { organizationControl } from '../../support/control-client.ts'
import { newKeyPair } from '../../support/generate-keys-and-certificates.ts'
import { openTestStore } from '../../support/open-test-store.ts'
import type { DeploymentDialect, JsonObject, JsonResponse } from './deployment-dialect.ts'
import { createPaymentIdMap, withBigNumbers } from './numeric-payment-ids.ts'
import {
  HOP_HEADERS,
  type ProxiedRequest,
  type ProxyRoute,
  SIGNATURE_HEADERS,
  translateRequestToSimulator,
} from './translate-request-to-simulator.ts'
import { openControlProxy } from './translating-control-proxy.ts'

export type TranslatingProxy = { apiUrl: string; pagesUrl: string; kitFolder: string; stop(): Promise<void> }

/** Parts of one translating proxy; `key` signs its responses, `keyFor` gives the key that signs forwarded calls of an organization. */
export type ProxyParts = {
  tongue: DeploymentDialect
  simulator: TestSimulator
  identityCache: CertificateAndKeyCache
  key: SigningKey
  numbers: ReturnType<typeof createPaymentIdMap>
  keyFor(organizationId: string): Promise<SigningKey>
  send: ReturnType<typeof sender>
}

/**
 * Starts a deployment with another API dialect: a TLS proxy in front of a simulator. It requests client certificates and
 * forwards them (RFC 9440), verifies every signature, and signs translated requests and responses again.
 */
export const startTranslatingProxy = async (
  tongue: DeploymentDialect,
  config: Partial<Config> = {},
): Promise<TranslatingProxy> => {
  let store = undefined as unknown as Store
  let identityCache = undefined as unknown as CertificateAndKeyCache
  const simulator = await startTestSimulator({ clientCertFrom: ['127.0.0.1', '::1'], ...config }, async dataDir => {
    store = await openTestStore(dataDir)
    identityCache = createCertificateAndKeyCache(store)
    return { store, identityCache }
  })
  const { certificate, privateKey } = JSON.parse((await store.setting('server')) ?? '{}')
  const agent = new Agent({ keepAlive: true })
  const parts: ProxyParts = {
    tongue,
    simulator,
    identityCache,
    key: newKeyPair().signingKey('proxy'),
    numbers: createPaymentIdMap(tongue.ids),
    keyFor: keysAt(simulator),
    send: sender(simulator, agent),
  }
  const tls = { key: privateKey, cert: certificate, ca: simulator.kit.ca, requestCert: true, rejectUnauthorized: false }
  const server = createServer({ ...tls, secureOptions: constants.SSL_OP_NO_TICKET }, (incoming, outgoing) => {
    serve(parts, incoming, outgoing).catch(error => outgoing.destroy(error))
  })
  await new Promise<void>(resolve => server.listen(0, () => resolve()))
  const control = await openControlProxy(parts)
  return {
    apiUrl: `https://localhost:${(server.address() as AddressInfo).port}${tongue.base}`,
    pagesUrl: control.url,
    kitFolder: simulator.kitFolder,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      control.close()
      agent.destroy()
      await simulator.stop()
    },
  }
}

/** Signing keys of the proxy, registered for each organization at its first call. */
const keysAt = (simulator: TestSimulator) => {
  const keys = new Map<string, Promise<SigningKey>>()
  const register = async (organizationId: string): Promise<SigningKey> => {
    const pair = newKeyPair()
    const { body } = await organizationControl(simulator, organizationId).post('signing-keys', { publicKey: pair.pem })
    return pair.signingKey(body.keyId)
  }
  return (organizationId: string): Promise<SigningKey> => {
    const key = keys.get(organizationId) ?? register(organizationId)
    keys.set(organizationId, key)
    return key
  }
}

const sender =
  ({ apiUrl, kit }: TestSimulator, agent: Agent) =>
  ({
    method,
    target,
    headers,
    body,
  }: ProxiedRequest): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${apiUrl}${target}`, { method, headers, agent, ca: kit.ca }, async response => {
        const text = Buffer.concat(await response.toArray())
        resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string>, body: text })
      })
      outgoing.on('error', reject).end(body.length > 0 ? body : undefined)
    })

const serve = async (parts: ProxyParts, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const { tongue, key } = parts
  const body = Buffer.concat(await incoming.toArray())
  const route = routeOf(parts, incoming)
  if (route?.endpoint === 'keySet' && !tongue.isKeySetProtected)
    return answer(parts, outgoing, { status: 200, body: keySetOf(key) }, {}, undefined)
  const got = await parts.send(await translateRequestToSimulator(parts, incoming, body, route))
  if (route?.endpoint === 'keySet' && got.status === 404)
    return answer(parts, outgoing, { status: 200, body: keySetOf(key) }, {}, undefined)
  const told = got.headers['content-type']?.startsWith('application/json') ? JSON.parse(got.body.toString()) : {}
  const theirs = tongue.theirs(route?.endpoint, { status: got.status, body: parts.numbers.outward(told) as JsonObject })
  const isEmpty = got.body.length === 0
  if (tongue.slowMs !== undefined) await pause(tongue.slowMs)
  await answer(parts, outgoing, theirs, got.headers, isEmpty ? '' : undefined)
}

const keySetOf = ({ keyId, privateKey }: SigningKey): JsonObject => ({
  keys: [{ ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: keyId, use: 'sig' }],
})

/** Translates a request target into the simulator's; query parameters are translated like body members. */
const routeOf = ({ tongue, numbers }: ProxyParts, { method, url = '' }: IncomingMessage): ProxyRoute | undefined => {
  const [path = '', query] = url.split('?')
  for (const [name, template] of Object.entries(tongue.paths)) {
    const endpoint = name as OperationName
    if (tongue.byQuery?.includes(endpoint) && method !== 'GET') continue
    const found = new RegExp(`^${`${tongue.base}${template}`.replace('{id}', '([^/]+)')}$`).exec(path)
    if (!found || (endpoint === 'status' && Object.values(tongue.paths).some(own => `${tongue.base}${own}` === path)))
      continue
    const id = numbers.inward(decodeURIComponent(found[1] ?? ''))
    const ours = query === undefined ? undefined : tongue.ours(endpoint, Object.fromEntries(new URLSearchParams(query)))
    if (endpoint === 'keySet' && tongue.isKeySetProtected)
      return { endpoint, target: '/payments/00000000-0000-7000-8000-000000000000/status' }
    const written = OPERATIONS[endpoint].path.replace('{transactionId}', encodeURIComponent(String(id)))
    if (tongue.byQuery?.includes(endpoint))
      return { endpoint, target: written, body: Buffer.from(JSON.stringify(ours ?? {})) }
    return { endpoint, target: ours ? `${written}?${new URLSearchParams(ours as Record<string, string>)}` : written }
  }
}

/** Replaces the label in signature headers by that of this deployment, which only the reading `literal` signs. */
export const inDialect = ({ responses }: DeploymentDialect, headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/^service_sig=/, `${responses?.label ?? 'service_sig'}=`),
    ]),
  )

const answer = async (
  { tongue, key }: Pick<ProxyParts, 'tongue' | 'key'>,
  outgoing: ServerResponse,
  { status, body }: JsonResponse,
  headers: Record<string, string>,
  text = withBigNumbers(JSON.stringify(body)),
): Promise<void> => {
  const signed = await signResponseHeaders({ http: status, body: text }, key, {
    created: Math.floor(Date.now() / 1000),
    ...tongue.responses,
  })
  const named = Object.entries(inDialect(tongue, signed)).map(([name, value]) => [tongue.headers[name] ?? name, value])
  const kept = Object.entries(headers).filter(
    ([name]) => ![...HOP_HEADERS, ...SIGNATURE_HEADERS, 'content-type', 'keep-alive'].includes(name),
  )
  outgoing.writeHead(status, { ...Object.fromEntries(kept), ...Object.fromEntries(named) }).end(text)
}
