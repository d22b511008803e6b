import { constants, createPublicKey } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { ENDPOINTS, type EndpointName } from '../../contracts/client/endpoints.ts'
import type { SigningKey } from '../../contracts/protocol/sign.ts'
import { signedHeaders } from '../../simulator/http/layers/sign-answer.ts'
import { createTrust, type Trust } from '../../simulator/http/trust.ts'
import type { Config } from '../../simulator/options.ts'
import type { Store } from '../../simulator/store/port.ts'
import { controlOf, newPair } from '../support/identities.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { numbering } from './spellings/numbering.ts'
import type { Answer, Json, Tongue } from './spellings/tongue.ts'
import { DROPPED, type Message, type Route, SIGNED, translated } from './wrapper-call.ts'
import { openControl } from './wrapper-control.ts'

export type Wrapper = { apiUrl: string; pagesUrl: string; kitFolder: string; stop(): Promise<void> }

/** What one wrapper is made of; `key` signs its answers, and `keyFor` its calls in the name of a merchant. */
export type Parts = {
  tongue: Tongue
  simulator: TestSimulator
  trust: Trust
  key: SigningKey
  numbers: ReturnType<typeof numbering>
  keyFor(organizationId: string): Promise<SigningKey>
  send: ReturnType<typeof sender>
}

/**
 * A deployment that speaks another tongue: a TLS server of its own in front of a good simulator. It asks for client
 * certificates and passes them on (RFC 9440), judges every signature, and signs anew what it has written anew.
 */
export const startWrapper = async (tongue: Tongue, config: Partial<Config> = {}): Promise<Wrapper> => {
  let store = undefined as unknown as Store
  let trust = undefined as unknown as Trust
  const simulator = await startTestSimulator({ clientCertFrom: ['127.0.0.1', '::1'], ...config }, async dataDir => {
    store = await openTestStore(dataDir)
    trust = createTrust(store)
    return { store, trust }
  })
  const { certificate, privateKey } = JSON.parse((await store.setting('server')) ?? '{}')
  const agent = new Agent({ keepAlive: true })
  const parts: Parts = {
    tongue,
    simulator,
    trust,
    key: newPair().signingKey('front-of-house'),
    numbers: numbering(tongue.ids),
    keyFor: keysAt(simulator),
    send: sender(simulator, agent),
  }
  const tls = { key: privateKey, cert: certificate, ca: simulator.kit.ca, requestCert: true, rejectUnauthorized: false }
  const server = createServer({ ...tls, secureOptions: constants.SSL_OP_NO_TICKET }, (incoming, outgoing) => {
    serve(parts, incoming, outgoing).catch(error => outgoing.destroy(error))
  })
  await new Promise<void>(resolve => server.listen(0, () => resolve()))
  const control = await openControl(parts)
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

/** Keys of the wrapper's own, registered in the name of each merchant at its first call. */
const keysAt = (simulator: TestSimulator) => {
  const keys = new Map<string, Promise<SigningKey>>()
  const register = async (organizationId: string): Promise<SigningKey> => {
    const pair = newPair()
    const { body } = await controlOf(simulator, organizationId).post('signing-keys', { publicKey: pair.pem })
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
  }: Message): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${apiUrl}${target}`, { method, headers, agent, ca: kit.ca }, async response => {
        const text = Buffer.concat(await response.toArray())
        resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string>, body: text })
      })
      outgoing.on('error', reject).end(body.length > 0 ? body : undefined)
    })

const serve = async (parts: Parts, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const { tongue, key } = parts
  const body = Buffer.concat(await incoming.toArray())
  const route = routeOf(parts, incoming.url ?? '')
  if (route?.endpoint === 'keySet') return answer(parts, outgoing, { status: 200, body: keySetOf(key) }, {}, undefined)
  const got = await parts.send(await translated(parts, incoming, body, route))
  const told = got.headers['content-type']?.startsWith('application/json') ? JSON.parse(got.body.toString()) : {}
  const theirs = tongue.theirs(route?.endpoint, { status: got.status, body: parts.numbers.outward(told) as Json })
  const isEmpty = got.body.length === 0
  if (tongue.slowMs !== undefined) await pause(tongue.slowMs)
  await answer(parts, outgoing, theirs, got.headers, isEmpty ? '' : undefined)
}

const keySetOf = ({ keyId, privateKey }: SigningKey): Json => ({
  keys: [{ ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: keyId, use: 'sig' }],
})

/** What a target means, in the simulator's words; the query is made of members like any body. */
const routeOf = ({ tongue, numbers }: Parts, target: string): Route | undefined => {
  const [path = '', query] = target.split('?')
  for (const [name, template] of Object.entries(tongue.paths)) {
    const endpoint = name as EndpointName
    const found = new RegExp(`^${`${tongue.base}${template}`.replace('{id}', '([^/]+)')}$`).exec(path)
    if (!found || (endpoint === 'status' && Object.values(tongue.paths).some(own => `${tongue.base}${own}` === path)))
      continue
    const id = numbers.inward(decodeURIComponent(found[1] ?? ''))
    const ours = query === undefined ? undefined : tongue.ours(endpoint, Object.fromEntries(new URLSearchParams(query)))
    const written = ENDPOINTS[endpoint].path.replace('{transactionId}', encodeURIComponent(String(id)))
    return { endpoint, target: ours ? `${written}?${new URLSearchParams(ours as Record<string, string>)}` : written }
  }
}

const answer = async (
  { tongue, key }: Pick<Parts, 'tongue' | 'key'>,
  outgoing: ServerResponse,
  { status, body }: Answer,
  headers: Record<string, string>,
  text = JSON.stringify(body),
): Promise<void> => {
  const signed = await signedHeaders({ http: status, body: text }, key, { created: Math.floor(Date.now() / 1000) })
  const named = Object.entries(signed).map(([name, value]) => [tongue.headers[name] ?? name, value])
  const kept = Object.entries(headers).filter(
    ([name]) => ![...DROPPED, ...SIGNED, 'content-type', 'keep-alive'].includes(name),
  )
  outgoing.writeHead(status, { ...Object.fromEntries(kept), ...Object.fromEntries(named) }).end(text)
}
