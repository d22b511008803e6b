import { type Exchange, jsonOf, lineOf } from '../client/exchange.ts'
import { yesterday } from '../client/real-time.ts'
import { askToken } from '../suites/vehicles.ts'
import type { World } from '../suites/world.ts'
import { type Finding, finding, type Learned, leavesOf, listsOf, merged, valueAt } from './finding.ts'

const KEY_SETS = [
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

/** Where the key set is: the first of a few usual paths that answers with keys (S19). */
export const scoutKeySet = async ({ merchant, profile }: World): Promise<Learned> => {
  const paths = [...new Set([profile.paths?.keySet ?? [], KEY_SETS].flat())]
  for (const path of paths) {
    const exchange = await merchant.send({ method: 'GET', path })
    const { keys } = (jsonOf(exchange) ?? {}) as { keys?: unknown }
    if (exchange.answer?.status === 200 && Array.isArray(keys))
      return known({
        line: 'paths.keySet',
        value: path,
        evidence: `${keys.length} keys: ${lineOf(exchange)}`,
        sameAs: ['RSP-04'],
      })
  }
  return { found: [], open: [`paths.keySet: no keys at ${paths.join(', ')}`] }
}

/** Where a refusal carries its four digits: the one place that is right in three refusals (S23). */
export const scoutErrors = async ({ merchant }: World): Promise<Learned> => {
  const refused = () => merchant.request('providers', { json: {} }, { token: null })
  const [nobody, again] = [await refused(), await refused()]
  const day = yesterday()
  const narrow = await merchant.request('reports', { query: { from: day, to: day }, scope: 'payments:read' })
  const broken = await merchant.request('search', { bytes: Buffer.from('{"broken') })
  const fits = [
    [nobody, /^4970$/],
    [narrow, /^4971$/],
    [broken, /^4\d{3}$/],
  ] as const
  const candidates = leavesOf(jsonOf(nobody)).map(({ pointer }) => pointer)
  const right = candidates.filter(pointer =>
    fits.every(([exchange, code]) => code.test(String(valueAt(exchange, pointer)))),
  )
  const evidence = fits
    .map(([exchange]) => `${exchange.request.url.replace(/^.*\//, '/')} ${exchange.answer?.status}`)
    .join(', ')
  const callId = finding('errors.callId', whatDiffers(nobody, again), 'what differs when the same refusal comes twice')
  if (right.length === 1)
    return merged([
      callId,
      known({
        line: 'errors.reasonCode',
        value: right[0],
        evidence: `4970, 4971 and 4xxx: ${evidence}`,
        sameAs: ['BRR-01', 'SCP-09'],
      }),
    ])
  return {
    found: [],
    open: [
      `errors.reasonCode: ${right.length === 0 ? 'no' : 'more than one'} place holds the right codes in ${evidence}`,
    ],
  }
}

/** The first text that is another one in the second of two like answers, and no time. */
const whatDiffers = (one: Exchange, other: Exchange): string | undefined =>
  leavesOf(jsonOf(one)).find(
    ({ pointer, value }) =>
      typeof value === 'string' &&
      !/^\d{4}-\d\d-\d\dT/.test(value) &&
      ![undefined, value].includes(valueAt(other, pointer) as string),
  )?.pointer

/** Where the list of providers is: the one that holds both schemes (S17). */
export const scoutProviders = async ({ merchant }: World): Promise<Learned> => {
  const exchange = await merchant.request('providers', { json: {} })
  const lists = listsOf(jsonOf(exchange)).flatMap(({ pointer, items }) => {
    const member = leavesOf(items[0]).find(leaf =>
      ['BLIK', 'IRIS'].every(name => items.some(item => memberIs(item, leaf.pointer, name))),
    )
    return member ? [{ list: pointer, member: member.pointer }] : []
  })
  const [found] = lists
  if (!found) return { found: [], open: [`fields.providers: no list names BLIK and IRIS in ${lineOf(exchange)}`] }
  const evidence = `it names BLIK and IRIS: ${lineOf(exchange)}`
  return known(
    { line: 'fields.providers.list', value: found.list, evidence, sameAs: ['RDS-12'] },
    { line: 'fields.providers.providerId', value: found.member, evidence, sameAs: ['RDS-12'] },
  )
}

const memberIs = (item: unknown, pointer: string, value: string): boolean =>
  leavesOf(item).some(leaf => leaf.pointer === pointer && leaf.value === value)

// biome-ignore format: a table reads by its columns
const ANSWER_HEADERS = [
  ['headers.signatureInput', 'signature-input', /^service_sig=\(/],
  ['headers.signature',      'signature',       /^service_sig=:[^:]+:$/],
  ['headers.contentDigest',  'content-digest',  /^sha-(256|384|512)=:/],
] as const

/** Names of the headers that sign an answer, and the version that answers (S21, S29). */
export const scoutHeaders = async (world: World): Promise<Learned> => {
  const exchange = await askToken(world)
  const headers = Object.entries(exchange.answer?.headers ?? {})
  const found: Finding[] = ANSWER_HEADERS.flatMap(([line, usual, shape]) => {
    const [name, value] = headers.find(([, text]) => shape.test(text)) ?? []
    return name === undefined || name === usual
      ? []
      : [{ line, value: name, evidence: `${name}: ${value?.slice(0, 40)}…`, sameAs: ['RSP-01'] }]
  })
  const open = ANSWER_HEADERS.filter(([, , shape]) => !headers.some(([, text]) => shape.test(text))).map(
    ([line]) => `${line}: no header of ${lineOf(exchange)} looks like one`,
  )
  const version = headers.find(([name, value]) => /version/.test(name) && /^\d+\.\d+$/.test(value))
  if (version)
    found.push({ line: 'serviceVersion', value: version[1], evidence: `${version[0]}: ${version[1]}`, sameAs: [] })
  return { found, open }
}

const known = (...found: Finding[]): Learned => ({ found, open: [] })
