import { randomUUID } from 'node:crypto'
import { OPERATIONS, type OperationName, type OperationPaths } from '../operations.ts'
import type { UnsignedCall } from './send-signed-call.ts'

/** Options of one call: its idempotency key, the scope of its token, extra headers. */
export type CallOptions = { idempotencyKey?: string; scope?: string; headers?: Readonly<Record<string, string>> }

/** The content of a call before it is signed: a JSON body, a form, or exact bytes; path and query parameters. */
export type CallParts = CallOptions & {
  json?: unknown
  /** Indentation of the JSON in spaces; none by default. */
  indent?: number
  form?: Readonly<Record<string, string>>
  bytes?: Uint8Array
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}

/** Builds the unsigned call of an endpoint; keyed endpoints get a fresh UUID v4 unless a key is given (I1, I2). */
export const toEndpointCall = (
  endpoint: OperationName,
  parts: CallParts,
  paths: OperationPaths = {},
  token?: string,
): UnsignedCall => {
  const { method, path, keyed } = OPERATIONS[endpoint]
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

/** Fills in the `{name}` parameters of a path, percent-encoded. */
const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
