import type { EndpointName } from '../client/endpoints.ts'
import type { Spelling } from '../client/merchant.ts'
import type { Profile } from './profile.ts'

/** Members whose value could be used again by somebody who reads a report. */
const SECRETS = ['oneTimeCode', 'paymentToken']

/** Writes requests as `requests`, `enums`, `ids` and `mocks` of a profile say; a member without a line keeps its name. */
export const spellingOf = (profile: Profile): Spelling => ({
  json: (endpoint, body) => {
    if (!isObject(body)) return body
    const written: Members = {}
    write(written, body, { path: '', at: [] }, { profile, places: placesOf(profile, endpoint) })
    return written
  },
  query: (endpoint, query) => {
    const places = placesOf(profile, endpoint)
    return Object.fromEntries(
      Object.entries(query).map(([name, value]) => [partsOf(places[name] ?? '').at(-1) ?? name, value]),
    )
  },
  secretMembers: secretsOf(profile),
})

/** The text or number by which a body of this deployment names a payment. */
export const writtenId = ({ ids }: Profile, transactionId: string): string | number =>
  ids?.transactionId === 'number' && /^\d{1,15}$/.test(transactionId) ? Number(transactionId) : transactionId

/** Where a member of a request stands: its own line, else below the place of its nearest parent that has one. */
export const pointerOf = (profile: Profile, endpoint: EndpointName, path: string): string => {
  const places = placesOf(profile, endpoint)
  const names = path.split('.')
  const known = names.map((_, index) => names.length - index).find(length => places[names.slice(0, length).join('.')])
  const place = known === undefined ? '' : places[names.slice(0, known).join('.')]
  return [place, ...names.slice(known ?? 0)].join('/')
}

/** RFC 6901. */
export const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

type Members = Record<string, unknown>
type Places = Readonly<Record<string, string>>
type Here = { path: string; at: readonly string[] }

/** Where overrides of a mock stand is a line of its own: without it nobody knows whether they can be given (S06). */
const placesOf = ({ requests, mocks }: Profile, endpoint: EndpointName): Places => ({
  ...(endpoint === 'mockSet' && mocks?.initiate ? { 'steps.initiate.providerDetails': mocks.initiate } : {}),
  ...(endpoint === 'mockSet' && mocks?.finalize ? { 'steps.finalize.providerDetails': mocks.finalize } : {}),
  ...requests?.all,
  ...requests?.[endpoint],
})

/** A member goes where its line says, else below its parent's new place. */
const write = (out: Members, value: unknown, { path, at }: Here, rules: { profile: Profile; places: Places }): void => {
  if (!isObject(value) || (path !== '' && Object.keys(value).length === 0)) {
    put(out, at, worded(value, path, rules.profile))
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`
    const place = rules.places[inner]
    write(out, member, { path: inner, at: place === undefined ? [...at, name] : partsOf(place) }, rules)
  }
}

const worded = (value: unknown, path: string, profile: Profile): unknown => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (typeof value !== 'string') return value
  return name === 'transactionId' ? writtenId(profile, value) : (profile.enums?.[name]?.[value] ?? value)
}

const put = (out: Members, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    out[name] = value
    return
  }
  const inner = isObject(out[name]) ? out[name] : {}
  out[name] = inner
  put(inner, rest, value)
}

const secretsOf = ({ requests, fields }: Profile): string[] => {
  const pointers = [...Object.values(requests ?? {}), ...Object.values(fields ?? {})].flatMap(Object.entries<string>)
  return pointers
    .filter(([name]) => SECRETS.includes(name.slice(name.lastIndexOf('.') + 1)))
    .flatMap(([, pointer]) => partsOf(pointer).slice(-1))
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
