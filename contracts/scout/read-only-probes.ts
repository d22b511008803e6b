import { describeExchange, type Exchange, responseJson } from '../client/http-exchange.ts'
import { yesterday } from '../client/wall-clock.ts'
import { jsonLeaves } from '../dialect/json-pointer.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import { findRefusalCode } from '../harness/profile/response-fields-and-line-advice.ts'
import { operationAddress } from '../operations.ts'
import { PROVIDER_IDS } from '../protocol/providers-and-capabilities.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { requestToken } from '../suites/given/harmless-calls.ts'
import { jsonArrays, responseValueAt } from './find-json-pointers.ts'
import { createProbeResult, type Finding, type ProbeResult } from './probe-findings.ts'

const KEY_SET_PATHS = [
  '/.well-known/jwks.json',
  '/.well-known/jwks',
  '/jwks.json',
  '/jwks',
  '/keys.json',
  '/keys',
  '/public-keys',
  '/auth/jwks.json',
  '/auth/jwks',
]

/** Learns the path of a key set that needs no access token: the first of the usual paths whose response holds keys (S19). */
export const scoutKeySet = async (context: CheckContext): Promise<ProbeResult> => {
  const { found, open } = await findKeySet(context, {})
  const [path] = found
  return path ? known(path, protection(false, path, `without an access token ${path.evidence}`)) : { found, open }
}

/** Learns path and protection of a key set that needs an access token, because without one it was not found (4). */
export const scoutProtectedKeySet = async (context: CheckContext): Promise<ProbeResult> => {
  const { found, open } = await findKeySet(context, { token: await context.merchant.tokenFor() })
  const [path] = found
  return path
    ? known(path, protection(true, path, `no keys without an access token, with one ${path.evidence}`))
    : { found, open }
}

const protection = (value: boolean, { sameAs }: Finding, evidence: string): Finding => ({
  line: 'keySet.protected',
  value,
  evidence,
  sameAs,
})

const findKeySet = async ({ merchant, profile }: CheckContext, token: { token?: string }): Promise<ProbeResult> => {
  const paths = [...new Set([profile.paths?.keySet ?? [], KEY_SET_PATHS].flat())]
  for (const path of paths) {
    const exchange = await merchant.send({ method: 'GET', path, ...token })
    const { keys } = (responseJson(exchange) ?? {}) as { keys?: unknown }
    if (exchange.response?.status === 200 && Array.isArray(keys))
      return known({
        line: 'paths.keySet',
        value: path,
        evidence: `${keys.length} keys: ${describeExchange(exchange)}`,
        sameAs: ['RSP-04'],
      })
  }
  return { found: [], open: [`paths.keySet: no keys at ${paths.join(', ')}`] }
}

/** Learns where a refusal holds an id of its own: what differs between two equal refusals. */
export const scoutCallId = async (context: CheckContext): Promise<ProbeResult> => {
  const pointer = firstDifference(await callWithoutToken(context), await callWithoutToken(context))
  return createProbeResult('errors.callId', pointer, 'what differs between two equal refusals')
}

/**
 * Learns where a refusal holds its reasonCode, as the one place right in every refusal (S23); of several, or none that
 * all share, the place of the profile where that is right.
 */
export const scoutErrorFields = async (context: CheckContext): Promise<ProbeResult> => {
  const { profile } = context
  const fits = await refusalsWithCodes(context)
  const candidates = jsonLeaves(responseJson(fits[0][0])).map(({ pointer }) => pointer)
  const right = candidates.filter(pointer => fits.every(([exchange, code]) => holdsAt(exchange, pointer, code)))
  const isTold = fits.every(([exchange, code]) => code.test(findRefusalCode(profile, exchange) ?? ''))
  const value = right.length === 1 ? right[0] : isTold ? profile.errors?.reasonCode : undefined
  const evidence = fits.map(([exchange]) => outcomeOf(exchange)).join(', ')
  if (value === undefined)
    return {
      found: [],
      open: [
        `errors.reasonCode: ${right.length === 0 ? 'no' : 'more than one'} place holds the right codes in ${evidence}`,
      ],
    }
  const codes = fits.map(([, code]) => code.source.replaceAll(/[$^]/g, '').replace('\\d{3}', 'xxx'))
  return known({
    line: 'errors.reasonCode',
    value,
    evidence: `${codes.join(', ')}: ${evidence}`,
    sameAs: ['BRR-01', 'SCP-09'],
  })
}

type RefusalWithCode = readonly [Exchange, code: RegExp]

/** Has calls refused whose codes are known; what has no reports answers such a call by no code of scopes, and is not counted. */
const refusalsWithCodes = async (context: CheckContext): Promise<readonly [RefusalWithCode, ...RefusalWithCode[]]> => {
  const { merchant, profile } = context
  const noToken = await callWithoutToken(context)
  const day = yesterday()
  const narrow = hasCapability(profile, 'reports')
    ? await merchant.request('reports', { query: { from: day, to: day }, scope: 'payments:read' })
    : undefined
  const isScoped = jsonLeaves(narrow && responseJson(narrow)).some(({ value }) => SCOPE_MISSING.test(String(value)))
  const withBody = (['search', 'providers'] as const).find(it => operationAddress(it, profile.paths).method === 'POST')
  const broken = withBody && (await merchant.request(withBody, { bytes: Buffer.from('{"broken') }))
  return [
    [noToken, /^4970$/],
    ...(narrow && isScoped ? [[narrow, SCOPE_MISSING] as const] : []),
    ...(broken ? [[broken, /^4\d{3}$/] as const] : []),
  ]
}

const SCOPE_MISSING = /^4971$/

const callWithoutToken = ({ merchant }: CheckContext): Promise<Exchange> =>
  merchant.request('providers', { json: {} }, { token: null })

const holdsAt = (exchange: Exchange, pointer: string, code: RegExp): boolean =>
  code.test(String(responseValueAt(exchange, pointer)))

const outcomeOf = ({ request, response, transportError }: Exchange): string =>
  `${request.url.replace(/^.*\//, '/')} ${response?.status ?? transportError?.code ?? 'nothing'}`

/** Returns the pointer to the first text, not a time, that differs between two responses to the same call. */
const firstDifference = (one: Exchange, other: Exchange): string | undefined =>
  jsonLeaves(responseJson(one)).find(
    ({ pointer, value }) =>
      typeof value === 'string' &&
      !/^\d{4}-\d\d-\d\dT/.test(value) &&
      ![undefined, value].includes(responseValueAt(other, pointer) as string),
  )?.pointer

/** Learns where the list of providers is: the one that holds both BLIK and IRIS (S17). */
export const scoutProviderFields = async ({ merchant }: CheckContext): Promise<ProbeResult> => {
  const exchange = await merchant.request('providers', { json: {} })
  const lists = jsonArrays(responseJson(exchange)).flatMap(({ pointer, items }) => {
    const member = jsonLeaves(items[0]).find(leaf =>
      PROVIDER_IDS.every(name => items.some(item => memberIs(item, leaf.pointer, name))),
    )
    return member ? [{ list: pointer, member: member.pointer }] : []
  })
  const [found] = lists
  if (!found)
    return { found: [], open: [`fields.providers: no list names BLIK and IRIS in ${describeExchange(exchange)}`] }
  const evidence = `it names BLIK and IRIS: ${describeExchange(exchange)}`
  return known(
    { line: 'fields.providers.list', value: found.list, evidence, sameAs: ['RDS-12'] },
    { line: 'fields.providers.providerId', value: found.member, evidence, sameAs: ['RDS-12'] },
  )
}

const memberIs = (item: unknown, pointer: string, value: string): boolean =>
  jsonLeaves(item).some(leaf => leaf.pointer === pointer && leaf.value === value)

// biome-ignore format: a table reads by its columns
const RESPONSE_HEADERS = [
  ['headers.signatureInput', 'signature-input', /^[a-z*][\w*.-]*=\(/],
  ['headers.signature',      'signature',       /^(?!sha-)[a-z*][\w*.-]*=:[^:]+:$/],
  ['headers.contentDigest',  'content-digest',  /^sha-(256|384|512)=:/],
] as const

/** Learns the names of the response signature headers, and the service version (S21, S29). */
export const scoutResponseHeaders = async (context: CheckContext): Promise<ProbeResult> => {
  const exchange = await requestToken(context)
  const headers = Object.entries(exchange.response?.headers ?? {})
  const named = RESPONSE_HEADERS.map(([line, usual, shape]) => {
    const header = headers.find(([name]) => name === usual) ?? headers.find(([, text]) => shape.test(text))
    return { line, header }
  })
  const found: Finding[] = named.flatMap(({ line, header }) =>
    header ? [{ line, value: header[0], evidence: `${header[0]}: ${header[1]}`, sameAs: ['RSP-01'] }] : [],
  )
  const open = named
    .filter(({ header }) => header === undefined)
    .map(({ line }) => `${line}: no header of ${describeExchange(exchange)} looks like one`)
  const version = headers.find(([name, value]) => /version/.test(name) && /^\d+\.\d+$/.test(value))
  if (version)
    found.push({ line: 'serviceVersion', value: version[1], evidence: `${version[0]}: ${version[1]}`, sameAs: [] })
  return { found, open }
}

const known = (...found: Finding[]): ProbeResult => ({ found, open: [] })
