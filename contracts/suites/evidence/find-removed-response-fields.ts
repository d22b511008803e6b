import { type Exchange, responseJson } from '../../client/http-exchange.ts'

type Shape = ReadonlyMap<string, string>

/** Returns the paths of a JSON value with the type at each; items of a list share one path. */
const shapeOf = (value: unknown, at = ''): [place: string, type: string][] => {
  if (Array.isArray(value)) return [[at, 'list'], ...value.flatMap(item => shapeOf(item, `${at}/*`))]
  if (value === null || typeof value !== 'object') return [[at, value === null ? 'null' : typeof value]]
  return [[at, 'object'], ...Object.entries(value).flatMap(([name, member]) => shapeOf(member, `${at}/${name}`))]
}

const servedBy = (exchanges: readonly Exchange[], endpoint: string): Shape[] =>
  exchanges
    .filter(({ request, response }) => request.endpoint === endpoint && response !== undefined && response.status < 300)
    .map(exchange => new Map(shapeOf(responseJson(exchange))))

/** Returns the paths and types that all of these shapes have. */
const common = ([first, ...others]: readonly Shape[]): [string, string][] =>
  [...(first ?? [])].filter(([place, type]) => others.every(shape => shape.get(place) === type))

/** Fields with their types that all responses of an endpoint had in an earlier run, by endpoint. */
export type FieldsAlwaysServed = Readonly<Record<string, readonly (readonly [place: string, type: string])[]>>

/** Lists the fields that all successful responses of each endpoint have; a null proves nothing. */
export const findFieldsAlwaysServed = (exchanges: readonly Exchange[]): FieldsAlwaysServed => {
  const endpoints = new Set(exchanges.flatMap(({ request }) => request.endpoint ?? []))
  return Object.fromEntries(
    [...endpoints].map(name => [name, common(servedBy(exchanges, name)).filter(([, type]) => type !== 'null')]),
  )
}

/** Finds fields that were always served earlier, and that no present response of the endpoint has with the same type. */
export const findRemovedResponseFields = (earlier: FieldsAlwaysServed, now: readonly Exchange[]): string[] =>
  Object.entries(earlier).flatMap(([endpoint, fields]) => {
    const seen = servedBy(now, endpoint)
    if (seen.length === 0) return []
    const gone = fields.filter(([place, type]) => !seen.some(shape => [type, 'null'].includes(shape.get(place) ?? '')))
    return gone.map(([place, type]) => `${endpoint} ${place} (${type})`)
  })
