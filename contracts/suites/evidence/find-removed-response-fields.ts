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

/**
 * Finds fields that all earlier responses of an endpoint had and no present one has with the same type; a null proves
 * nothing.
 */
export const findRemovedResponseFields = (earlier: readonly Exchange[], now: readonly Exchange[]): string[] => {
  const endpoints = new Set(earlier.flatMap(({ request }) => request.endpoint ?? []))
  return [...endpoints].flatMap(endpoint => {
    const seen = servedBy(now, endpoint)
    if (seen.length === 0) return []
    const gone = common(servedBy(earlier, endpoint)).filter(
      ([place, type]) => type !== 'null' && !seen.some(shape => [type, 'null'].includes(shape.get(place) ?? '')),
    )
    return gone.map(([place, type]) => `${endpoint} ${place} (${type})`)
  })
}
