import { randomUUID } from 'node:crypto'
import { ENDPOINTS, type EndpointName, fillPath, type Paths } from './endpoints.ts'
import type { Call } from './send.ts'

/** What one call may say for itself. */
export type CallOptions = { idempotencyKey?: string; scope?: string; headers?: Readonly<Record<string, string>> }

/** What a call is made of before it is signed: a body of JSON, a form, or exact bytes. */
export type CallParts = CallOptions & {
  json?: unknown
  /** Blanks by which the JSON is indented; none unless given. */
  indent?: number
  form?: Readonly<Record<string, string>>
  bytes?: Uint8Array
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}

/** The call of an endpoint; keyed ones get a fresh UUID v4 unless they bring a key (I1, I2). */
export const callOf = (endpoint: EndpointName, parts: CallParts, paths: Paths = {}, token?: string): Call => {
  const { method, path, keyed } = ENDPOINTS[endpoint]
  const { contentType, body } = bodyOf(parts)
  return {
    endpoint,
    method,
    path: `${fillPath(paths[endpoint] ?? path, parts.path ?? {})}${queryOf(parts)}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...(keyed ? { 'idempotency-key': parts.idempotencyKey ?? randomUUID() } : {}),
      ...parts.headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  }
}

const queryOf = ({ query }: CallParts): string => (query ? `?${new URLSearchParams(query)}` : '')

const bodyOf = ({ form, json, indent, bytes }: CallParts): { contentType: string; body?: Uint8Array } => {
  if (form)
    return {
      contentType: 'application/x-www-form-urlencoded',
      body: Buffer.from(new URLSearchParams(form).toString()),
    }
  const body = bytes ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json, null, indent)))
  return { contentType: 'application/json', ...(body === undefined ? {} : { body }) }
}
