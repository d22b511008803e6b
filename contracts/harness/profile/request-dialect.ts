import type { RequestDialect } from '../../client/merchant-client.ts'
import type { OperationName } from '../../operations.ts'
import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import { pointerSegments, writeMember } from './json-pointer.ts'
import type { Profile } from './profile.ts'

/** Secret request and response members, which no report may show. */
const SECRETS = ['oneTimeCode', 'paymentToken']

/** Creates the request dialect of a profile from its `requests`, `enums`, `ids` and `mocks`; other members stay. */
export const createRequestDialect = (profile: Profile): RequestDialect => ({
  json: (endpoint, body) => {
    if (!isJsonObject(body)) return body
    const written: JsonObject = {}
    write(written, body, { path: '', at: [] }, { profile, pointers: pointersOf(profile, endpoint) })
    return written
  },
  query: (endpoint, query) => {
    const pointers = pointersOf(profile, endpoint)
    return Object.fromEntries(
      Object.entries(query).map(([name, value]) => [pointerSegments(pointers[name] ?? '').at(-1) ?? name, value]),
    )
  },
  secretMembers: secretsOf(profile),
})

/** Formats a transaction id as the request bodies of this deployment hold it: a text or a number. */
export const formatTransactionId = ({ ids }: Profile, transactionId: string): string | number =>
  ids?.transactionId === 'number' && /^\d{1,15}$/.test(transactionId) ? Number(transactionId) : transactionId

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

/** Returns the pointers to the request members of an endpoint; mock overrides have lines of their own (S06). */
const pointersOf = ({ requests, mocks }: Profile, endpoint: OperationName): Pointers => ({
  ...(endpoint === 'mockSet' && mocks?.initiate ? { 'steps.initiate.providerDetails': mocks.initiate } : {}),
  ...(endpoint === 'mockSet' && mocks?.finalize ? { 'steps.finalize.providerDetails': mocks.finalize } : {}),
  ...requests?.all,
  ...requests?.[endpoint],
})

/** Writes a value and its members to their pointers; a member without one stays below its parent. */
const write = (
  out: JsonObject,
  value: unknown,
  { path, at }: Here,
  rules: { profile: Profile; pointers: Pointers },
): void => {
  if (!isJsonObject(value) || (path !== '' && Object.keys(value).length === 0)) {
    writeMember(out, at, toDeploymentValue(value, path, rules.profile))
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`
    const place = rules.pointers[inner]
    write(out, member, { path: inner, at: place === undefined ? [...at, name] : pointerSegments(place) }, rules)
  }
}

const toDeploymentValue = (value: unknown, path: string, profile: Profile): unknown => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (typeof value !== 'string') return value
  return name === 'transactionId' ? formatTransactionId(profile, value) : (profile.enums?.[name]?.[value] ?? value)
}

const secretsOf = ({ requests, fields }: Profile): string[] => {
  const pointers = [...Object.values(requests ?? {}), ...Object.values(fields ?? {})].flatMap(Object.entries<string>)
  return pointers
    .filter(([name]) => SECRETS.includes(name.slice(name.lastIndexOf('.') + 1)))
    .flatMap(([, pointer]) => pointerSegments(pointer).slice(-1))
}
