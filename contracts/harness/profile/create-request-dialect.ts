import type { RequestDialect } from '../../client/merchant-client.ts'
import type { OpenOperation } from '../../dialect/dialect-lines.ts'
import { pointerSegments, writeMember } from '../../dialect/json-pointer.ts'
import type { OperationName } from '../../operations.ts'
import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import { toJsonInteger } from '../../protocol/parse-json.ts'
import type { Profile } from './profile.ts'

/** Member of a mock by which a provider answers initiate with a code of its own; its place is `mocks.providerCode`. */
const PROVIDER_CODE_MEMBER = 'steps.initiate.providerCode'

/** Member of a mock by which a capture meets a fault; its place is `mocks.faults.at`. */
const FAULT_MEMBER = 'steps.capture.fault'

/** Secret request and response members, which no report may show. */
const SECRETS = ['oneTimeCode', 'paymentToken']

/** Creates the request dialect of a profile from its `requests`, `enums`, `ids` and `mocks`; other members stay. */
export const createRequestDialect = (profile: Profile): RequestDialect => ({
  json: (endpoint, body) => {
    if (!isJsonObject(body)) return body
    const written: JsonObject = {}
    const takes = (path: string) => takesMember(profile, endpoint, path)
    write(written, body, { path: '', at: [] }, { profile, pointers: pointersOf(profile, endpoint), takes })
    const always = { ...profile.requests?.always?.all, ...profile.requests?.always?.[endpoint] }
    for (const [pointer, value] of Object.entries(always)) writeUnlessSet(written, pointerSegments(pointer), value)
    return written
  },
  query: (endpoint, query) => {
    const pointers = pointersOf(profile, endpoint)
    const lastName = (pointer: string) => pointerSegments(pointer).at(-1)
    const always = Object.entries(profile.requests?.always?.[endpoint] ?? {})
    return Object.fromEntries([
      ...always.map(([pointer, value]) => [lastName(pointer), String(value)]),
      ...Object.entries(query)
        .filter(([name]) => takesMember(profile, endpoint, name))
        .map(([name, value]) => [lastName(pointers[name] ?? '') ?? name, value]),
    ])
  },
  secretMembers: secretsOf(profile),
})

/** Whether requests of an operation have a member here, unless `requests.without` lists its dotted name or a parent's. */
export const takesMember = ({ requests }: Pick<Profile, 'requests'>, operation: OperationName, path: string): boolean =>
  !(requests?.without?.[operation as OpenOperation] ?? []).some(name => path === name || path.startsWith(`${name}.`))

/** Returns the sentence by which the profile says that an operation takes no such member; undefined where it does. */
export const untakenReason = (profile: Profile, operation: OperationName, path: string): string | undefined =>
  takesMember(profile, operation, path) ? undefined : `${profile.file} says requests.without.${operation}: ${path}`

/** Formats a transaction id as the request bodies of this deployment hold it: a text, or a number of any size. */
export const formatTransactionId = ({ ids }: Profile, transactionId: string): unknown =>
  ids?.transactionId === 'number' && /^(0|[1-9]\d*)$/.test(transactionId) ? toJsonInteger(transactionId) : transactionId

/** Returns the JSON pointer to a request member: its profile line, else below the nearest parent that has one. */
export const requestPointer = (profile: Profile, endpoint: OperationName, path: string): string => {
  const pointers = pointersOf(profile, endpoint)
  const names = path.split('.')
  const known = names.map((_, index) => names.length - index).find(length => pointers[names.slice(0, length).join('.')])
  const place = known === undefined ? '' : pointers[names.slice(0, known).join('.')]
  return [place, ...names.slice(known ?? 0)].join('/')
}
type Pointers = Readonly<Record<string, string>>
type Here = { path: string; at: readonly string[] }
type WritingRules = { profile: Profile; pointers: Pointers; takes(path: string): boolean }

/** Returns the pointers to the request members of an endpoint; mock overrides have lines of their own (S06). */
const pointersOf = ({ requests, mocks }: Profile, endpoint: OperationName): Pointers => ({
  ...(endpoint === 'mockSet' && mocks ? mockPointers(mocks) : {}),
  ...requests?.all,
  ...requests?.[endpoint],
})

const mockPointers = ({ initiate, finalize, providerCode, faults }: NonNullable<Profile['mocks']>): Pointers => ({
  ...(initiate && { 'steps.initiate.providerDetails': initiate }),
  ...(finalize && { 'steps.finalize.providerDetails': finalize }),
  ...(providerCode && { [PROVIDER_CODE_MEMBER]: providerCode }),
  ...(faults && { [FAULT_MEMBER]: faults.at }),
})

/** Writes a value and its members to their pointers; one without a pointer stays below its parent, one not taken is left out. */
const write = (out: JsonObject, value: unknown, { path, at }: Here, rules: WritingRules): void => {
  if (!isJsonObject(value) || (path !== '' && Object.keys(value).length === 0)) {
    writeMember(out, at, toDeploymentValue(value, path, rules.profile))
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`
    if (!rules.takes(inner)) continue
    const place = rules.pointers[inner]
    write(out, member, { path: inner, at: place === undefined ? [...at, name] : pointerSegments(place) }, rules)
  }
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

const toDeploymentValue = (value: unknown, path: string, profile: Profile): unknown => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (typeof value !== 'string') return value
  return name === 'transactionId' ? formatTransactionId(profile, value) : (profile.enums?.[name]?.[value] ?? value)
}

const secretsOf = ({ requests, fields }: Profile): string[] => {
  const { always: _, without: __, ...members } = requests ?? {}
  const pointers = [...Object.values(members), ...Object.values(fields ?? {})].flatMap(Object.entries<string>)
  return pointers
    .filter(([name]) => SECRETS.includes(name.slice(name.lastIndexOf('.') + 1)))
    .flatMap(([, pointer]) => pointerSegments(pointer).slice(-1))
}
