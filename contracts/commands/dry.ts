import { randomUUID } from 'node:crypto'
import type { Credentials, Kit } from '../client/credentials.ts'
import { ENDPOINTS, type EndpointName } from '../client/endpoints.ts'
import type { Exchange, WireRequest } from '../client/exchange.ts'
import type { Transport } from '../client/transport.ts'
import type { Profile } from '../harness/profile.ts'
import { partsOf } from '../harness/spelling.ts'
import type { Operator } from '../suites/operator.ts'

/** Says yes to every call, in the shapes that the profile describes, and is nowhere. */
export const dryTransport = (profile: Profile): Transport => ({
  exchange: async request => answered(request, answerTo(profile, request)),
  session: async () => undefined,
  close: () => undefined,
})

const answered = (request: WireRequest, body: unknown): Exchange => ({
  request,
  answer: { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 0,
})

const answerTo = (profile: Profile, { url }: WireRequest): unknown => {
  const operation = operationAt(profile, new URL(url))
  if (operation === 'token')
    return {
      access_token: randomUUID(),
      expires_in: 7200,
      refresh_expires_in: 0,
      token_type: 'Bearer',
      scope: 'payments:read',
    }
  const answer = {}
  for (const pointer of Object.values(profile.fields?.[operation ?? ''] ?? {}))
    put(answer, partsOf(pointer), randomUUID())
  return answer
}

const operationAt = (profile: Profile, { pathname }: URL): EndpointName | undefined => {
  const path = pathname.slice(new URL(profile.target.baseUrl).pathname.replace(/\/$/, '').length)
  const names = Object.keys(ENDPOINTS) as EndpointName[]
  return names.find(name => {
    const pattern = (profile.paths?.[name] ?? ENDPOINTS[name].path)
      .split(/\{\w+\}/)
      .map(part => part.replace(/\W/g, '\\$&'))
    return new RegExp(`^${pattern.join('[^/]+')}$`).test(path)
  })
}

const put = (answer: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    answer[name] ??= value
    return
  }
  const inner = (typeof answer[name] === 'object' ? answer[name] : {}) as Record<string, unknown>
  answer[name] = inner
  put(inner, rest, value)
}

/** An operator who does as told, at once and nowhere. */
export const dryOperator = (operator: Operator, credentials: Credentials): Operator => {
  const nothing = async () => ({})
  const doings = Object.fromEntries(Object.keys(operator).map(name => [name, nothing]))
  const notification: Exchange = answered(
    { method: 'GET', url: 'https://nowhere.invalid/', headers: {} },
    { id: randomUUID() },
  )
  return {
    ...(doings as unknown as Operator),
    oneTimeCode: async () => '000000',
    registerKey: async () => randomUUID(),
    certify: async () => credentials.identity.certificate,
    notification: async () => notification,
    subscribe: async () => Object.assign(nothing, { endpointId: 'none' }),
    kit: async () => kitOf(credentials),
  }
}

/** Whoever comes to be for a run calls nobody either: our own kit does for all. */
const kitOf = ({
  baseUrl,
  organizationId,
  clientId,
  processingAccountIds,
  ca,
  identity,
  signingKeys,
}: Credentials): Kit => ({
  apiBaseUrl: baseUrl,
  organizationId,
  clientId,
  processingAccountIds,
  ...(ca === undefined ? {} : { ca }),
  ...identity,
  signingKeys: signingKeys.map(({ keyId, algorithm, privateKey }) => ({
    keyId,
    algorithm: algorithm.name,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  })),
})
