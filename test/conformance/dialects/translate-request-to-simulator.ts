import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { OperationName } from '../../../contracts/operations.ts'
import { parseJson } from '../../../contracts/protocol/parse-json.ts'
import { type SigningKey, signRequest } from '../../../contracts/protocol/sign-messages.ts'
import { verifyRequest } from '../../../contracts/protocol/verify-request.ts'
import type { JsonObject } from './deployment-dialect.ts'
import type { ProxyParts } from './translating-proxy.ts'

export type ProxiedRequest = { method: string; target: string; headers: Record<string, string>; body: Buffer }
export type ProxyRoute = {
  endpoint: OperationName
  target: string /** The body of a call that had it in its query. */
  body?: Buffer
}

export const HOP_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding', 'client-cert']
export const SIGNATURE_HEADERS = ['signature', 'signature-input', 'content-digest']

/** Translates a call into the simulator's dialect: signed again if its signature was valid, else with the invalid signature. */
export const translateRequestToSimulator = async (
  parts: ProxyParts,
  incoming: IncomingMessage,
  body: Buffer,
  route: ProxyRoute | undefined,
): Promise<ProxiedRequest> => {
  const method = route?.body ? 'POST' : (incoming.method ?? '')
  const target = route?.target ?? `/nothing-here${incoming.url}`
  const certificate = (incoming.socket as TLSSocket).getPeerX509Certificate()
  const known = certificate && (await parts.identityCache.certificate(certificate.fingerprint256))
  const organizationId = known?.organization.organizationId
  const written = route?.body ?? (route && route.endpoint !== 'token' ? rewritten(parts, route.endpoint, body) : body)
  const plain = Object.entries(incoming.headers).filter(
    ([name]) => !HOP_HEADERS.includes(name) && !SIGNATURE_HEADERS.includes(name),
  )
  const headers: Record<string, string> = {
    ...(Object.fromEntries(plain) as Record<string, string>),
    host: new URL(parts.simulator.apiUrl).host,
    ...(certificate ? { 'client-cert': `:${certificate.raw.toString('base64')}:` } : {}),
    ...(route?.body ? { 'content-type': 'application/json' } : {}),
    ...(written.length > 0 ? { 'content-length': String(written.length) } : {}),
  }
  const verdict = await judged(parts, incoming, body, organizationId)
  const contentType = headers['content-type']
  const fresh = async (key: SigningKey) =>
    signRequest(
      {
        method,
        target,
        host: headers.host ?? '',
        ...(contentType ? { contentType } : {}),
        ...(route?.body || hasBody(body, incoming) ? { body: written } : {}),
      },
      key,
      { created: Math.floor(Date.now() / 1000) },
    )
  if (verdict.ok && organizationId !== undefined)
    return {
      method,
      target,
      body: written,
      headers: { ...headers, ...(await fresh(await parts.keyFor(organizationId))) },
    }
  const kept = Object.fromEntries(
    SIGNATURE_HEADERS.flatMap(name => (incoming.headers[name] ? [[name, String(incoming.headers[name])]] : [])),
  )
  const isDigest = !verdict.ok && verdict.kind === 'digest'
  const digest =
    !isDigest && (kept['content-digest'] || route?.body)
      ? { 'content-digest': (await fresh(parts.key))['content-digest'] ?? '' }
      : {}
  return { method, target, body: written, headers: { ...headers, ...kept, ...digest } }
}

const hasBody = (body: Buffer, { headers }: IncomingMessage): boolean =>
  body.length > 0 || headers['content-digest'] !== undefined

/** Verifies a request's signature strictly in this deployment's dialect. */
const judged = (
  { tongue, identityCache, simulator }: ProxyParts,
  incoming: IncomingMessage,
  body: Buffer,
  organizationId = '',
) => {
  const isInOrder =
    !tongue.dialect.createdFirst || /;created=\d+;keyid=/.test(String(incoming.headers['signature-input']))
  return verifyRequest(
    {
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      // The judge drops what stands behind the last colon.
      host: `${incoming.headers.host ?? ''}${tongue.dialect.port === 'kept' ? ':' : ''}`,
      header: name => incoming.headers[name]?.toString(),
      body,
    },
    {
      keyFor: async keyId => {
        const key = await identityCache.key(organizationId, keyId)
        const isFormer = key && (key.isDeregistered || simulator.controlPlane.now(organizationId) >= key.expiresAt)
        return isFormer || !isInOrder ? undefined : key
      },
      dialect: tongue.dialect,
      nowSeconds: Math.floor(Date.now() / 1000),
      maxAgeSeconds: 300,
      maxAheadSeconds: 60,
    },
  )
}

const rewritten = ({ tongue, numbers }: ProxyParts, endpoint: OperationName, body: Buffer): Buffer => {
  try {
    const json = parseJson(body.toString()) as JsonObject | null
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return body
    return Buffer.from(JSON.stringify(numbers.inwardAll(tongue.ours(endpoint, json))))
  } catch {
    return body
  }
}
