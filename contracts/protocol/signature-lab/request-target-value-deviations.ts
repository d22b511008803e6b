import type { ValueDeviationRow } from './base-deviation-type.ts'

// biome-ignore format: a table reads by its columns
/** Known deviations of the `@request-target` value that clients sign. */
export const REQUEST_TARGET_VALUE_ROWS: readonly ValueDeviationRow[] = [
  ['target-query',       1, ({ request: { target } }) => [pathOf(target), `${pathOf(target)}?`, target.replace(/\?$/, '')]],
  ['target-decoded',     1, ({ request: { target } }) => [decoded(target), decoded(target.replaceAll('+', ' ')), `${decoded(pathOf(target))}${queryOf(target)}`]],
  ['target-encoded',     2, ({ request: { target } }) => [
                              encodeURI(wellFormed(target)), encodeURI(decoded(target)), encodeURIComponent(wellFormed(target)), target.replaceAll('+', '%20'), target.replaceAll('%20', '+'),
                              target.replaceAll(/%[0-9a-f]{2}/gi, hex => hex.toUpperCase()), target.replaceAll(/%[0-9a-f]{2}/gi, hex => hex.toLowerCase())]],
  ['target-url',         1, ({ host, hostName, request: { target } }) => ['https://', 'http://', ''].flatMap(scheme => [`${scheme}${host}${target}`, `${scheme}${host.toLowerCase()}${target}`, `${scheme}${hostName}${target}`])],
  ['target-normalised',  2, ({ request: { target } }) => [normalised(target), target.replaceAll(/\/{2,}/g, '/')]],
  ['target-slash',       1, ({ request: { target } }) => [`${pathOf(target).replace(/\/$/, '')}${queryOf(target)}`, `${pathOf(target)}/${queryOf(target)}`, target.replace(/^\//, ''), '/']],
  ['target-method',      1, ({ request: { method, target } }) => [`${method.toLowerCase()} ${target}`, `${method} ${target}`, `${method} ${target} HTTP/1.1`, `${method.toLowerCase()}: ${target}`]],
  ['target-prefix',      1, ({ request: { target } }) => [1, 2, 3].map(count => withoutParts(target, count))],
  ['target-query-order', 2, ({ request: { target } }) => reordered(target)],
  ['target-query-only',  3, ({ request: { target } }) => [queryOf(target), queryOf(target).slice(1)]],
  ['target-case',        2, ({ request: { target } }) => [target.toLowerCase(), target.toUpperCase(), `${pathOf(target).toLowerCase()}${queryOf(target)}`]],
]

const pathOf = (target: string): string => target.split('?', 1)[0] ?? ''
const queryOf = (target: string): string => target.slice(pathOf(target).length)
const wellFormed = (text: string): string => text.toWellFormed()

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const normalised = (target: string): string => {
  const url = URL.parse(target, 'http://host')
  return url === null ? target : `${url.pathname}${url.search}`
}

const withoutParts = (target: string, count: number): string | undefined => {
  const parts = target.split('/')
  return parts.length > count + 1 ? `/${parts.slice(count + 1).join('/')}` : undefined
}

const reordered = (target: string): string[] => {
  const pairs = queryOf(target).slice(1).split('&')
  if (pairs.length < 2) return []
  return [pairs.toSorted(), pairs.toReversed()].map(list => `${pathOf(target)}?${list.join('&')}`)
}
