import { type Exchange, isServed, jsonOf, responseJson } from '../../client/http-exchange.ts'
import { valueAtPointer } from '../../dialect/json-pointer.ts'
import { requestPointer } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'

type Shape = ReadonlyMap<string, string>

/** Returns the paths of a JSON value with the type at each; items of a list share one path. */
const shapeOf = (value: unknown, at = ''): [place: string, type: string][] => {
  if (Array.isArray(value)) return [[at, 'list'], ...value.flatMap(item => shapeOf(item, `${at}/*`))]
  if (value === null || typeof value !== 'object') return [[at, value === null ? 'null' : typeof value]]
  return [[at, 'object'], ...Object.entries(value).flatMap(([name, member]) => shapeOf(member, `${at}/${name}`))]
}

/** Members by which the calls that begin a payment differ: optional fields may depend on them. */
const KIND_MEMBERS = ['providerDetails.providerId', 'transactionType']

/** Returns the method and type of the payment that a call begins, in the words of the deployment; empty for other calls. */
const kindOf = (profile: Profile, { request }: Exchange): string => {
  const { endpoint, body } = request
  if (endpoint !== 'initiate' && endpoint !== 'charge') return ''
  const json = jsonOf(body)
  return KIND_MEMBERS.map(path => valueAtPointer(json, requestPointer(profile, endpoint, path)) ?? '').join(' ')
}

const wordsOf = ({ request: { url, body }, response }: Exchange): string[] =>
  [url, ...[body, response?.body].map(bytes => Buffer.from(bytes ?? []).toString())].join(' ').match(/[\w-]+/g) ?? []

/** Whether a response has its whole body; a part of it has no shape. */
const isWhole = ({ response }: Exchange): boolean => response?.cutFrom === undefined

/** Returns the shapes of successful responses by what they are about: the endpoint, the kinds of payments, the state shown. */
const servedShapes = (profile: Profile, exchanges: readonly Exchange[]): Map<string, Shape[]> => {
  const kinds = new Map<string, string>()
  const shapes = new Map<string, Shape[]>()
  for (const exchange of exchanges.filter(isServed).filter(isWhole)) {
    const { endpoint } = exchange.request
    if (endpoint === undefined) continue
    const find = (name: string) => findField(profile, exchange, `${endpoint}.${name}`)
    const [kind, id] = [kindOf(profile, exchange), find('transactionId')]
    if (kind && id !== undefined) kinds.set(String(id), kind)
    const about = kind ? [kind] : [...new Set(wordsOf(exchange).flatMap(word => kinds.get(word) ?? []))].sort()
    const name = [endpoint, ...about, find('state') ?? find('status') ?? ''].join(' ').trim()
    shapes.set(name, [...(shapes.get(name) ?? []), new Map(shapeOf(responseJson(exchange)))])
  }
  return shapes
}

/** Returns the paths and types that all of these shapes have. */
const common = ([first, ...others]: readonly Shape[]): [string, string][] =>
  [...(first ?? [])].filter(([place, type]) => others.every(shape => shape.get(place) === type))

/** Fields with their types that all responses of a kind had in an earlier run, by the name of the kind. */
export type FieldsAlwaysServed = Readonly<Record<string, readonly (readonly [place: string, type: string])[]>>

/** Lists the fields that all successful responses of each kind have; a null, or a body that is no JSON, proves nothing. */
export const findFieldsAlwaysServed = (exchanges: readonly Exchange[], profile: Profile): FieldsAlwaysServed =>
  Object.fromEntries(
    [...servedShapes(profile, exchanges)].map(([name, shapes]) => [
      name,
      common(shapes).filter(([, type]) => type !== 'null' && type !== 'undefined'),
    ]),
  )

/** Returns the place whose presence tells that a field is missing: what holds it; of an item the item itself, as a list may be empty. */
const holderOf = (place: string): string => (place.endsWith('/*') ? place : place.slice(0, place.lastIndexOf('/')))

/**
 * Finds fields that were always served earlier, and that no present response of the kind has with the same type;
 * undefined where no kind has come again.
 */
export const findRemovedResponseFields = (
  earlier: FieldsAlwaysServed,
  now: readonly Exchange[],
  profile: Profile,
): string[] | undefined => {
  const present = servedShapes(profile, now)
  const again = Object.entries(earlier).filter(([name]) => present.has(name))
  if (again.length === 0) return undefined
  return again.flatMap(([name, fields]) => {
    const seen = present.get(name) ?? []
    const gone = fields.filter(
      ([place, type]) =>
        seen.some(shape => place === '' || shape.has(holderOf(place))) &&
        !seen.some(shape => [type, 'null'].includes(shape.get(place) ?? '')),
    )
    return gone.map(([place, type]) => `${name} ${place} (${type})`)
  })
}
