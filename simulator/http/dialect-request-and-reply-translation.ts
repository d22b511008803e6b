import { type Dialect, successStatus } from '../../contracts/dialect/dialect.ts'
import { readMockedFault } from '../../contracts/dialect/mocked-faults.ts'
import type { Address } from '../../contracts/dialect/operation-path-table.ts'
import { type OperationName, operationAddress } from '../../contracts/operations.ts'
import { isJsonObject, type JsonObject } from '../../contracts/protocol/canonical-json.ts'
import { parseJson } from '../../contracts/protocol/parse-json-keeping-big-integers.ts'
import type { Reply } from '../store/unit-of-work.ts'
import { truncate } from '../support/untrusted-text.ts'
import type { ApiCall } from './api-call.ts'
import { invalidRequest } from './invalid-request.ts'
import { parseJsonBody } from './parse-json-body.ts'
import type { Route } from './routes.ts'

/** A request target as the dialect of its organization reads it. */
export type SpokenTarget = Pick<Address, 'queryNames'> & {
  parameters: Readonly<Record<string, string>>
  query: URLSearchParams
}

/** Members of a search that are numbers, also where they are query parameters. */
const NUMBERS = ['limit', 'amountFrom', 'amountTo']

/**
 * Reads the request of an API call from its dialect into the document's form: from its JSON body, its query or its
 * path; refuses one it cannot read.
 */
export const readSpokenRequest = (
  { dialect, incoming, body }: ApiCall,
  { operation, schema }: Route,
  { parameters, query }: SpokenTarget,
): object => {
  const { requests } = dialect.lenses ?? {}
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
  if (hasBody) {
    const sent = parseJsonBody(body, incoming.headers['content-type'], requests ? parseJson : JSON.parse)
    if (!requests) return sent
    const read = withConstants(requests.readJson(operation, sent as JsonObject))
    return operation === 'mockSet' ? readMockedFault(dialect.lines, read) : read
  }
  if (!requests) return { ...(schema !== undefined && entriesOf(query)), ...parameters }
  const inPath = Object.entries(parameters).map(([name, text]) => [name, requests.readParameter(name, text)])
  if (schema === undefined) return Object.fromEntries(inPath)
  const asked = Object.entries(entriesOf(query)).filter(([name]) => !namedByPath(dialect, operation).has(name))
  const read = withConstants(requests.readQuery(operation, Object.fromEntries(asked)))
  const numbers = NUMBERS.flatMap(name => (/^\d+$/.test(String(read[name])) ? [[name, Number(read[name])]] : []))
  return { ...read, ...Object.fromEntries([...inPath, ...numbers]) }
}

/** Query parameters that are part of an operation's address: the members that they are have been read from the target. */
const namedByPath = ({ lines }: Dialect, operation: OperationName): URLSearchParams =>
  new URLSearchParams(operationAddress(operation, lines.paths).path.split('?')[1])

/** Returns the parameters of a query; refuses a name that stands there more than once. */
const entriesOf = (query: URLSearchParams): Record<string, unknown> => {
  const repeated = [...query.keys()].find((name, at, names) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw invalidRequest({ [truncate(repeated)]: 'stands more than once' })
  return Object.fromEntries(query)
}

/** Refuses a request without the constants that each has in this dialect. */
const withConstants = ({ request, missing }: { request: JsonObject; missing: Readonly<Record<string, unknown>> }) => {
  const fields = Object.fromEntries(
    Object.entries(missing).map(([pointer, constant]) => [pointer, `must be ${JSON.stringify(constant)}`]),
  )
  if (Object.keys(fields).length === 0) return request
  throw invalidRequest(fields)
}

/** Writes the reply of an API call in the dialect of its organization: status, members, words and values. */
export const speakReply = (call: ApiCall, reply: Reply): Reply => {
  const { dialect, operation } = call
  const http = reply.http === 200 && operation ? successStatus(dialect, operation) : reply.http
  if (!dialect.lenses || reply.body === '' || (reply.contentType ?? 'application/json') !== 'application/json')
    return http === reply.http ? reply : { ...reply, http }
  const body: unknown = reply.document ?? JSON.parse(reply.body)
  const isRefusal = isJsonObject(body) && 'callId' in body
  const { responses } = dialect.lenses
  const spoken = isRefusal
    ? responses.write('refusal', spellFields(body, call))
    : responses.write(operation ?? 'refusal', body)
  return { ...reply, http, body: JSON.stringify(spoken) }
}

type RefusalJson = JsonObject & { fields?: Record<string, string>; statusInfo?: { message?: string } }

/** Names the members of a refusal's validation errors, and of its sentence, as the dialect spells them. */
const spellFields = (body: RefusalJson, call: ApiCall): JsonObject => {
  if (!body.fields) return body
  const fields = Object.fromEntries(
    Object.entries(body.fields).map(([path, fault]) => [spellMember(call.dialect, call, path), fault]),
  )
  const message = spellMembers(call, String(body.statusInfo?.message), Object.keys(body.fields))
  return { ...body, statusInfo: { ...body.statusInfo, message }, fields }
}

const spellMember = ({ lenses }: Dialect, { operation }: ApiCall, path: string): string =>
  lenses && operation && operation !== 'token' && !isHeader(path) ? lenses.requests.spell(operation, path) : path

/** Whether a field of a refusal is a header: those have capitals and hyphens. */
const isHeader = (name: string): boolean => /^[A-Z][A-Za-z]*(-[A-Z][A-Za-z]*)+$/.test(name)

/** Replaces members of the document in a sentence by the dialect's names of them. */
const spellMembers = (call: ApiCall, sentence: string, paths: readonly string[]): string =>
  paths
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, path) => text.replaceAll(path, spellMember(call.dialect, call, path)), sentence)
