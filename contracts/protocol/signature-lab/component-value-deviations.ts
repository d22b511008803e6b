import { hash } from 'node:crypto'
import { contentDigest, DIGEST_ALGORITHMS } from '../content-digest.ts'
import type { Deviation, ValueDeviationRow } from './base-deviation-type.ts'
import { type LabRequest, readHeaderValue } from './lab-request.ts'
import { REQUEST_TARGET_VALUE_ROWS } from './request-target-value-deviations.ts'
import { withValue } from './signature-base-draft.ts'
import { digestFunctionOf, type SignatureBaseInputs } from './signature-base-inputs.ts'
import type { CauseId } from './signature-error-causes.ts'

// biome-ignore format: a table reads by its columns
const AUTHORITY_ROWS: readonly ValueDeviationRow[] = [
  ['authority-port',         1, ({ host, hostName }) => [portOf(host) && `${hostName}:${portOf(host)}`]],
  ['authority-no-port',      1, ({ hostName }) => [portOf(hostName) && withoutPort(hostName)]],
  ['authority-default-port', 1, ({ host, hostName }) => [`${hostName}:443`, `${hostName}:80`, `${hostName}:8443`].filter(value => value !== host.toLowerCase())],
  ['authority-case',         1, ({ host }) => [host.toUpperCase().replace(/:\d*$/, ''), ...(host === host.toLowerCase() ? [] : [host.replace(/:\d*$/, ''), host])]],
  ['authority-url',          1, ({ host, hostName, request }) => ['https://', 'http://', '//'].flatMap(scheme => [
                                  `${scheme}${hostName}`, `${scheme}${host}`, `${scheme}${host.toLowerCase()}`, `${scheme}${host}/`, `${scheme}${host}${request.target}`])],
  ['authority-url',          2, ({ host, hostName, request }) => [`${hostName}/`, `${host.toLowerCase()}/`, `${host}${request.target}`, `${hostName}${request.target}`]],
  ['authority-empty',        2, () => ['', 'undefined', 'null']],
  ['authority-rewritten',    1, ({ request, otherHosts, host }) => [...forwardedHosts(request), ...otherHosts].flatMap(name => [name, withoutPort(name), portOf(host) && `${name}:${portOf(host)}`])],
  ['authority-other',        2, ({ host, hostName }) => LOCAL.filter(name => name !== hostName).flatMap(name => [name, portOf(host) && `${name}:${portOf(host)}`])],
  ['authority-other',        3, ({ hostName }) => [`${hostName}.`, `www.${hostName}`, hostName.replace(/^[^.]+\./, '')]],
]
/** Hosts that proxies on the way name as those of the client: X-Forwarded-Host, X-Original-Host, Forwarded (RFC 7239). */
const forwardedHosts = (request: LabRequest): string[] => {
  const [, forwarded] = /(?:^|[;,\s])host="?([^";,\s]+)/i.exec(readHeaderValue(request, 'forwarded') ?? '') ?? []
  const named = ['x-forwarded-host', 'x-original-host'].flatMap(
    name => readHeaderValue(request, name)?.split(',') ?? [],
  )
  return [...named, forwarded ?? ''].map(name => name.trim().toLowerCase()).filter(Boolean)
}
const withoutPort = (name: string): string => name.replace(/:\d*$/, '')
const LOCAL = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0']

// biome-ignore format: a table reads by its columns
const METHOD_ROWS: readonly ValueDeviationRow[] = [
  ['method-case',  1, ({ request: { method } }) => [method.toLowerCase(), `${method.charAt(0).toUpperCase()}${method.slice(1).toLowerCase()}`, method]],
  ['method-other', 2, () => ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', '']],
]

// biome-ignore format: a table reads by its columns
const TYPE_ROWS: readonly ValueDeviationRow[] = [
  ['type-charset', 1, facts => [/;/.test(sentType(facts)) ? sentType(facts) : undefined, ...charsets(facts.componentOf('content-type'))]],
  ['type-case',    1, facts => [sentType(facts), sentType(facts).split(';')[0], facts.componentOf('content-type').toUpperCase(), 'Application/Json', 'application/JSON']
                             .filter(type => type?.toLowerCase() === facts.componentOf('content-type'))],
  ['type-empty',   1, () => ['', 'undefined', 'null']],
  ['type-other',   2, () => ['application/json', 'text/plain', 'text/plain;charset=UTF-8', '*/*', 'application/x-www-form-urlencoded', 'application/octet-stream']],
  ['type-blank',   2, facts => [` ${facts.componentOf('content-type')}`, `${facts.componentOf('content-type')} `]],
]
const charsets = (type: string) =>
  ['; charset=utf-8', ';charset=utf-8', '; charset=UTF-8', ';charset=UTF-8'].map(parameter => `${type}${parameter}`)
const sentType = ({ request }: SignatureBaseInputs): string => readHeaderValue(request, 'content-type') ?? ''

// biome-ignore format: a table reads by its columns
const LENGTH_ROWS: readonly ValueDeviationRow[] = [
  ['length-characters', 1, ({ request }) => [String(Buffer.from(request.body).toString('utf8').length), String([...Buffer.from(request.body).toString('utf8')].length)]],
  ['length-empty',      1, () => ['', 'undefined', 'null']],
  ['length-of-other',   1, ({ bodyForms }) => [...bodyForms.map(({ bytes }) => String(bytes.length)), '0']],
]

// biome-ignore format: a table reads by its columns
const DIGEST_ROWS: readonly ValueDeviationRow[] = [
  ['digest-function', 1, ({ request }) => request.bodyIsPartial ? [] : DIGEST_ALGORITHMS.map(({ name }) => contentDigest(request.body, name))],
  ['digest-bare',     1, facts => [inner(facts), ...digestTexts(facts, (name, b64) => [`${name}=${b64}`, b64, `:${b64}:`])]],
  ['digest-old-header', 2, facts => digestTexts(facts, (name, b64) => [`${name.toUpperCase()}=${b64}`, `${name.toUpperCase()}=:${b64}:`])],
  ['digest-hex',      1, facts => digestTexts(facts, (name, b64) => {
                           const hex = Buffer.from(b64, 'base64').toString('hex')
                           return [`${name}=:${hex}:`, hex, `${name}=${hex}`, `${name}=:${Buffer.from(hex).toString('base64')}:`]
                         })],
  ['digest-url',      2, facts => digestTexts(facts, (name, b64) => [url(b64), url(b64).replaceAll('=', '')].map(text => `${name}=:${text}:`))],
  ['digest-missing',  1, () => ['', 'undefined', 'null']],
]
const url = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_')
const inner = (facts: SignatureBaseInputs): string | undefined =>
  /:([^:]*):/.exec(facts.componentOf('content-digest'))?.[1]

/** Formats each digest of the body, or the digest sent where the body is partial. */
const digestTexts = (facts: SignatureBaseInputs, write: (name: string, base64: string) => string[]): string[] => {
  const own = digestFunctionOf(facts.request)
  if (facts.request.bodyIsPartial) return write(own.name, inner(facts) ?? '')
  return [own, ...DIGEST_ALGORITHMS].flatMap(row => write(row.name, hash(row.hash, facts.request.body, 'base64')))
}

// biome-ignore format: a table reads by its columns
const COMPONENT_ROWS: readonly (readonly [component: string, rows: readonly ValueDeviationRow[]])[] = [
  ['@authority',      AUTHORITY_ROWS],
  ['@method',         METHOD_ROWS],
  ['@request-target', REQUEST_TARGET_VALUE_ROWS],
  ['content-digest',  DIGEST_ROWS],
  ['content-type',    TYPE_ROWS],
  ['content-length',  LENGTH_ROWS],
]

/** Lists the wrong component values that a client may have signed in place of a request's own, by cause and rarity. */
export const valueDeviations = (facts: SignatureBaseInputs): readonly Deviation[] =>
  COMPONENT_ROWS.filter(([component]) => facts.components.includes(component))
    .flatMap(([component, rows]) => [
      ...rows.flatMap(([cause, weight, values]) =>
        values(facts).map(value => valueDeviation(facts, component, cause, weight, value)),
      ),
      ...(component === 'content-digest' ? digestsOfForms(facts) : []),
    ])
    .filter(deviation => deviation !== undefined)

const valueDeviation = (
  facts: SignatureBaseInputs,
  component: string,
  cause: CauseId,
  weight: number,
  value: string | undefined,
  more: Record<string, string> = {},
): Deviation | undefined => {
  const expected = facts.componentOf(component)
  if (value === undefined || value === expected) return undefined
  return {
    cause,
    aspect: component,
    weight,
    edit: withValue(component, value),
    values: { expected, value, function: functionIn(value), ...more },
  }
}

/** Returns the deviations of content-digest: digests of body variants, with the client's digest function first. */
const digestsOfForms = (facts: SignatureBaseInputs): (Deviation | undefined)[] => {
  const own = digestFunctionOf(facts.request)
  return facts.bodyForms.flatMap(({ cause, bytes, text = '' }) =>
    DIGEST_ALGORITHMS.map(({ name }) =>
      valueDeviation(facts, 'content-digest', cause, name === own.name ? 1 : 3, contentDigest(bytes, name), { text }),
    ),
  )
}

/** Returns the digest function that a Content-Digest value names. */
const functionIn = (digest: string): string => /^([\w-]+)=/.exec(digest)?.[1]?.toUpperCase() ?? ''

const portOf = (host: string): string | undefined => /:(\d+)$/.exec(host)?.[1]
