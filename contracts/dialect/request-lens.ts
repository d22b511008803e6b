import { OPERATIONS, type OperationName } from '../operations.ts'
import { isJsonObject, type JsonObject } from '../protocol/canonical-json.ts'
import type { DialectLines, OpenOperation } from './dialect-lines.ts'
import { pointerSegments, valueAtPointer, writeMember } from './json-pointer.ts'
import { createMemberPlaces, type MemberPlaces, type Pointers, placeOf } from './member-places.ts'
import { type IdForm, SAME_IDS } from './numeric-ids.ts'
import { readMembers } from './read-members.ts'
import { createValueForms } from './value-forms.ts'
import { writeMembers } from './write-members.ts'

/** A deployment's request, read into the document's form, with the constants that it lacks, by their JSON pointers. */
export type ReadRequest = { request: JsonObject; missing: Readonly<Record<string, unknown>> }

type Query = Readonly<Record<string, string>>

/** Lens of requests: writes those of the document in a deployment's dialect, and reads them back. */
export type RequestLens = {
  json(operation: OperationName, body: unknown): unknown
  query(operation: OperationName, query: Query): Record<string, string>
  readJson(operation: OperationName, body: JsonObject): ReadRequest
  readQuery(operation: OperationName, query: Readonly<Record<string, unknown>>): ReadRequest
  /** Reads the value of a path parameter of the document's name. */
  readParameter(name: string, text: string): unknown
  /** The dotted name of a request member as the deployment spells it. */
  spell(operation: OperationName, path: string): string
  placesOf(operation: OperationName): MemberPlaces
}

/** Creates the lens of requests from `requests`, `naming`, `enums`, `forms`, `ids` and `mocks` of a profile. */
export const createRequestLens = (lines: DialectLines, ids: IdForm = SAME_IDS): RequestLens => {
  const values = createValueForms(lines, ids)
  const known = new Map<OperationName, MemberPlaces>()
  const placesOf = (operation: OperationName): MemberPlaces => {
    const has = (path: string) => takesMember(lines, operation, path)
    const places =
      known.get(operation) ??
      createMemberPlaces({ pointers: requestPointers(lines, operation), values, naming: lines.naming, has })
    known.set(operation, places)
    return places
  }
  return {
    placesOf,
    json: (operation, body) => {
      if (!isJsonObject(body)) return body
      const written = writeMembers(body, placesOf(operation)) as JsonObject
      for (const [pointer, value] of constantsOf(lines, operation))
        writeUnlessSet(written, pointerSegments(pointer), value)
      return written
    },
    readJson: (operation, body) => readRequest(body, constantsOf(lines, operation), placesOf(operation)),
    query: (operation, query) => {
      const places = placesOf(operation)
      const constants = constantsOf(lines, operation).map(([pointer, value]) => [lastName(pointer), String(value)])
      const members = Object.entries(query).filter(([name]) => places.has(name))
      return Object.fromEntries([
        ...constants,
        ...members.map(([name, value]) => [placeOf(places, name).at(-1) ?? name, value]),
      ])
    },
    readQuery: (operation, query) =>
      readRequest(nestQuery(query, placesOf(operation)), constantsOf(lines, operation), placesOf(operation)),
    readParameter: (name, text) => values.read(name, text),
    spell: (operation, path) =>
      path.startsWith('/') ? pointerSegments(path).join('.') : placeOf(placesOf(operation), path).join('.'),
  }
}

/**
 * Whether requests of an operation have a member in a dialect, unless `requests.without` lists its dotted name or a
 * parent's.
 */
export const takesMember = (
  { requests }: Pick<DialectLines, 'requests'>,
  operation: OperationName,
  path: string,
): boolean =>
  !(requests?.without?.[operation as OpenOperation] ?? []).some(name => path === name || path.startsWith(`${name}.`))

/** Copies a request of the document without the members that `requests.without` lists. */
export const withoutUntaken = (
  { requests }: Pick<DialectLines, 'requests'>,
  operation: OperationName,
  body: JsonObject,
): JsonObject =>
  (requests?.without?.[operation as OpenOperation] ?? []).reduce(
    (left, path) => withoutMember(left, path.split('.')),
    body,
  )

/** Returns the pointers to the request members of an operation; mock overrides have lines of their own (S06). */
const requestPointers = ({ requests, mocks }: DialectLines, operation: OperationName): Pointers => ({
  ...(operation === 'mockSet' && mocks ? mockPointers(mocks) : {}),
  ...requests?.all,
  ...requests?.[operation],
})

/** Members of a mock by which a provider answers initiate with a code of its own, and a capture meets a fault. */
const mockPointers = ({ initiate, finalize, providerCode, faults }: NonNullable<DialectLines['mocks']>): Pointers => ({
  ...(initiate && { 'steps.initiate.providerDetails': initiate }),
  ...(finalize && { 'steps.finalize.providerDetails': finalize }),
  ...(providerCode && { 'steps.initiate.providerCode': providerCode }),
  ...(faults && { 'steps.capture.fault': faults.at }),
})

/** Returns the constants of a request by JSON pointer; those of `all` are for requests with a JSON body. */
export const constantsOf = ({ requests }: DialectLines, operation: OperationName): [string, unknown][] => {
  const { always } = requests ?? {}
  const hasBody = OPERATIONS[operation].method === 'POST' && operation !== 'token'
  return Object.entries({ ...(hasBody ? always?.all : {}), ...always?.[operation] })
}

/** Writes a constant, unless the request has a value at its place or on the way to it, or lacks it on purpose. */
const writeUnlessSet = (document: JsonObject, segments: readonly string[], value: unknown): void => {
  let place: unknown = document
  for (const name of segments) {
    if (!isJsonObject(place)) return
    if (!Object.hasOwn(place, name)) {
      writeMember(document, segments, value)
      return
    }
    place = place[name]
  }
}

const readRequest = (
  spoken: JsonObject,
  constants: readonly [string, unknown][],
  places: MemberPlaces,
): ReadRequest => {
  const missing: Record<string, unknown> = {}
  let own = spoken
  for (const [pointer, constant] of constants) {
    const segments = pointerSegments(pointer)
    if (String(valueAtPointer(spoken, pointer)) !== String(constant)) missing[pointer] = constant
    else if (!DOCUMENT_MEMBERS.has(places.documentName(segments[0] ?? ''))) own = withoutMember(own, segments)
  }
  return { request: readMembers(own, places), missing }
}

/** Members at the top of the document's requests (2.1 to 2.7): a constant within one is a member of ours, and stays. */
const DOCUMENT_MEMBERS: ReadonlySet<string> = new Set([
  ...['processingAccountId', 'clientTransactionId', 'transactionId', 'transactionType', 'autoCapture', 'returnUrl'],
  ...['paymentDetails', 'providerDetails', 'payerDetails', 'requestContext', 'metadata'],
  ...['key', 'type', 'scenario', 'oneTime', 'steps', 'data', 'country', 'currency', 'from', 'to', 'reportId', 'name'],
])

/** Copies a message without a member, and without each object that is empty then. */
const withoutMember = (message: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject => {
  const { [name]: inner, ...others } = message
  const left = rest.length > 0 && isJsonObject(inner) ? withoutMember(inner, rest) : {}
  return Object.keys(left).length === 0 ? others : { ...others, [name]: left }
}

/** Puts query parameters, each named by the last segment of its place, where the members of a body would be. */
const nestQuery = (query: Readonly<Record<string, unknown>>, places: MemberPlaces): JsonObject => {
  const nested: JsonObject = {}
  for (const [name, value] of Object.entries(query)) writeMember(nested, places.placeEndingWith(name) ?? [name], value)
  return nested
}

const lastName = (pointer: string): string => pointerSegments(pointer).at(-1) ?? ''
