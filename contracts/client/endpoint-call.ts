import { randomUUID } from 'node:crypto'
import { OPERATIONS, type OperationName, type OperationPaths, operationAddress } from '../operations.ts'
import { isJsonObject } from '../protocol/canonical-json.ts'
import { parseJson } from '../protocol/parse-json-keeping-big-integers.ts'
import type { UnsignedCall } from './send-signed-call.ts'

/** Options of one call of the merchant client: its idempotency key, the scope of its token, extra headers. */
export type CallOptions = { idempotencyKey?: string; scope?: string; headers?: Readonly<Record<string, string>> }

/** Content of a merchant's call before it is signed: a JSON body, a form, or exact bytes; path and query parameters. */
export type CallParts = CallOptions & {
  json?: unknown
  /** Indentation of the JSON in spaces, none by default; an empty object then has a line break too. */
  indent?: number
  form?: Readonly<Record<string, string>>
  bytes?: Uint8Array
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}

/** Whether calls of an endpoint have an Idempotency-Key: those that I1 lists, and mock/set, which 4 shows with one. */
const hasKey = (endpoint: OperationName): boolean => OPERATIONS[endpoint].keyed || endpoint === 'mockSet'

/**
 * Builds a merchant's unsigned call of an operation; calls with a key get a fresh UUID v4 unless one is given (I1, I2,
 * 4).
 */
export const toEndpointCall = (
  endpoint: OperationName,
  parts: CallParts,
  paths: OperationPaths = {},
  token?: string,
): UnsignedCall => {
  const { method, path } = operationAddress(endpoint, paths)
  const { contentType, body } = bodyOf(method === OPERATIONS[endpoint].method ? parts : {})
  return {
    endpoint,
    method,
    path: withQuery(fillPath(path, parts.path ?? {}), [
      ...queryOf(parts),
      ...(method === 'GET' ? leavesOf(parts) : []),
    ]),
    headers: {
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...(hasKey(endpoint) ? { 'idempotency-key': parts.idempotencyKey ?? randomUUID() } : {}),
      ...parts.headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  }
}

/** Moves the members of a body or a query that a deployment's path names as `{name}` to the path parameters. */
export const withPathMembers = (endpoint: OperationName, parts: CallParts, paths: OperationPaths = {}): CallParts => {
  const { path } = operationAddress(endpoint, paths)
  const json = isJsonObject(parts.json) ? parts.json : {}
  const query = OPERATIONS[endpoint].schema === undefined ? undefined : parts.query
  const moved = Object.entries({ ...query, ...json }).filter(([name]) => path.includes(`{${name}}`))
  if (moved.length === 0) return parts
  const names = new Set(moved.map(([name]) => name))
  const without = <Value>(members: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)))
  return {
    ...parts,
    ...(isJsonObject(parts.json) && { json: without(json) }),
    ...(query && { query: without(query) }),
    path: { ...Object.fromEntries(moved.map(([name, value]) => [name, String(value)])), ...parts.path },
  }
}

/** Throws where a call lacks a value in its path, or has one that a path does not carry, such as two dots. */
export const checkPathValues = (endpoint: OperationName, parts: CallParts, paths: OperationPaths = {}): void => {
  const { path: values = {} } = withPathMembers(endpoint, parts, paths)
  for (const [, name = ''] of operationAddress(endpoint, paths).path.matchAll(PARAMETERS)) {
    const value = values[name] ?? ''
    if (['', '.', '..'].includes(value))
      throw new TypeError(`${name} is "${value}", which no path carries: give the id that the service returned.`)
  }
}

type Parameter = readonly [name: string, value: string]

const withQuery = (path: string, parameters: readonly Parameter[]): string =>
  parameters.length === 0
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(parameters.map(([name, value]) => [name, value]))}`

const queryOf = ({ query = {} }: CallParts): Parameter[] => Object.entries(query)

/** Returns the members of a body that a deployment takes as query parameters, each by its own name without its parents'. */
const leavesOf = ({ json }: CallParts): Parameter[] =>
  json === undefined ? [] : leavesIn(parseJson(JSON.stringify(json)), '')

const leavesIn = (value: unknown, name: string): Parameter[] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([inner, member]) => leavesIn(member, inner))
    : [value].flat().map((item): Parameter => [name, String(item)])

const bodyOf = ({ form, json, indent, bytes }: CallParts): { contentType: string; body?: Uint8Array } => {
  if (form)
    return {
      contentType: 'application/x-www-form-urlencoded',
      body: Buffer.from(new URLSearchParams(form).toString()),
    }
  const body = bytes ?? (json === undefined ? undefined : Buffer.from(jsonText(json, indent)))
  return { contentType: 'application/json', ...(body === undefined ? {} : { body }) }
}

const jsonText = (json: unknown, indent: number | undefined): string => {
  const text = JSON.stringify(json, null, indent)
  return indent !== undefined && text === '{}' ? '{\n}' : text
}

const PARAMETERS = /\{(\w+)\}/g

/** Fills in the `{name}` parameters of a path, percent-encoded. */
const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(PARAMETERS, (_, name: string) => encodeURIComponent(values[name] ?? ''))
