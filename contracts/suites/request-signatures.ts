import { hash } from 'node:crypto'
import type { CallOverrides } from '../client/send-signed-call.ts'
import { nowSeconds } from '../client/wall-clock.ts'
import { assumed, OBSERVING } from '../harness/judge/check.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { contentDigest } from '../protocol/content-digest.ts'
import type { SigningKey } from '../protocol/sign-messages.ts'
import type { Algorithm, AlgorithmName } from '../protocol/signature-algorithms.ts'
import { COVERED_COMPONENTS } from '../protocol/signature-base.ts'
import { type SingleCallCheck, singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { readStatus, requestToken } from './given/harmless-calls.ts'
import { uniqueReference } from './given/request-bodies.ts'
import { hasBody } from './grid/signed-operation-columns.ts'
import { type SigningDeviations, signWithDeviations } from './request-mutations/sign-with-deviations.ts'
import {
  withBody,
  withHeader,
  withOneCharacterChanged,
  withoutHeader,
  withTarget,
} from './request-mutations/tamper-with-requests.ts'

const WITH_BODY = COVERED_COMPONENTS.requestWithBody
const REVERSED = [...WITH_BODY].reverse()
const DAY = 86_400

const firstKey = ({ merchant }: CheckContext): SigningKey =>
  keyFor(merchant.credentials.signingKeys, () => true, 'signing')

const keyFor = (keys: readonly SigningKey[], fits: (key: SigningKey) => boolean, kind: string): SigningKey => {
  const found = keys.find(fits)
  if (found) return found
  const line = kind === 'second' ? 'secondOrganization' : 'organization'
  throw new Untestable(`the credentials hold no ${kind} key: add one to ${line} in the profile`, undefined, line)
}

const keyOf = ({ merchant }: CheckContext, name: AlgorithmName): CallOverrides => ({
  signingKey: keyFor(merchant.credentials.signingKeys, key => key.algorithm.name === name, name),
})

const signedBy = (name: AlgorithmName) => (context: CheckContext) => requestToken(context, keyOf(context, name))

const wrongHash = (key: SigningKey): SigningKey => {
  const other = key.algorithm.hash === 'sha256' ? 'sha384' : 'sha256'
  return { ...key, algorithm: { ...key.algorithm, hash: other } as Algorithm }
}

/** Reverses the order of the form fields: length and meaning stay, the digest does not. */
const reordered = (form: string): string => form.split('&').reverse().join('&')

const withDeviations = (forgery: SigningDeviations) => (context: CheckContext) =>
  requestToken(context, { sign: signWithDeviations(forgery) })

// biome-ignore format: a table reads by its columns
const SERVED: SingleCallCheck[] = [
  { id: 'SIG-01', clause: '5.2', title: 'P-256 with SHA-256 is accepted', send: signedBy('ECDSA_SHA_256') },
  { id: 'SIG-02', clause: '5.2', title: 'P-384 with SHA-384 is accepted', send: signedBy('ECDSA_SHA_384') },
  { id: 'SIG-03', clause: '5.2', title: 'P-521 with SHA-512 is accepted', send: signedBy('ECDSA_SHA_512') },
  { id: 'SIG-19', clause: '5.2', title: 'a Content-Type with a charset, signed without it, is accepted',
    send: context => requestToken(context, { beforeSigning: withHeader('content-type', type => `${type}; charset=utf-8`) }) },
  { id: 'SIG-21', clause: '5.2', title: 'a GET signed without the three body components is accepted', send: context => readStatus(context) },
  { id: 'SIG-23', clause: '5.2', title: 'a sha-384 digest is accepted', send: context => requestToken(context, { signing: { digest: 'sha-384' } }) },
  { id: 'SIG-24', clause: '5.2', title: 'a sha-512 digest is accepted', send: context => requestToken(context, { signing: { digest: 'sha-512' } }) },
  { id: 'SIG-39', clause: '5.2', title: 'a Host header in mixed case, signed in lower case, is accepted',
    send: context => requestToken(context, { beforeSigning: withHeader('host', host => host.replace(/[a-z]/, letter => letter.toUpperCase())) }) },
]

const UNAUTHENTICATED = { control: 'TOK-01', refused: { status: 401 } }
/** A signature that is absent or unreadable may be a missing field (400) as well as a bad signature (401) (5.2, 7.1). */
const UNREADABLE = { control: 'TOK-01', refused: { status: [400, 401] } }

// biome-ignore format: a table reads by its columns
const BROKEN: SingleCallCheck[] = [
  { id: 'SIG-04', clause: '5.2, 7.1', title: 'a hash that does not fit the curve: 401', ...UNAUTHENTICATED,
    send: context => requestToken(context, { signingKey: wrongHash(firstKey(context)) }) },
  { id: 'SIG-05', clause: '5, 7.1', title: 'no Signature header: 401', ...UNREADABLE,
    send: context => requestToken(context, { afterSigning: withoutHeader('signature') }) },
  { id: 'SIG-06', clause: '5, 7.1', title: 'no Signature-Input header: 401', ...UNREADABLE,
    send: context => requestToken(context, { afterSigning: withoutHeader('signature-input') }) },
  { id: 'SIG-07', clause: '5.2, 7.3', title: 'one byte of the signature changed: 401 with a 4xxx code', control: 'TOK-01', refused: { status: 401, code: '4' },
    send: context => requestToken(context, { afterSigning: withHeader('signature', withOneCharacterChanged) }) },
  { id: 'SIG-08', clause: '7.1', title: 'an unknown keyid: 401', ...UNAUTHENTICATED,
    send: context => requestToken(context, { signingKey: { ...firstKey(context), keyId: 'no-such-key' } }) },
  { id: 'SIG-42', clause: '5.2', title: 'a signature that is no byte sequence: 401', ...UNREADABLE,
    send: context => requestToken(context, { afterSigning: withHeader('signature', 'service_sig="text"') }) },
]

// biome-ignore format: a table reads by its columns
const STALE: SingleCallCheck[] = [
  { id: 'SIG-09', clause: '7.1', title: 'a body changed after signing: 400', control: 'TOK-01', refused: { status: 400 },
    send: context => requestToken(context, { afterSigning: withBody(reordered) }) },
  { id: 'SIG-44', clause: '5.2, 7.1', title: 'a body changed after signing, with a sha-384 digest: 400', control: 'SIG-23', refused: { status: 400 },
    send: context => requestToken(context, { signing: { digest: 'sha-384' }, afterSigning: withBody(reordered) }) },
  { id: 'SIG-45', clause: '5.2, 7.1', title: 'a body changed after signing, with a sha-512 digest: 400', control: 'SIG-24', refused: { status: 400 },
    send: context => requestToken(context, { signing: { digest: 'sha-512' }, afterSigning: withBody(reordered) }) },
  { id: 'SIG-10', clause: '5.2', title: 'body and digest changed, the old signature kept: 401', ...UNAUTHENTICATED,
    send: context => requestToken(context, { afterSigning: draft => {
      const changed = withBody(reordered)(draft)
      const body = changed.body ?? Buffer.alloc(0)
      return { ...changed, headers: { ...changed.headers, 'content-digest': contentDigest(body), 'content-length': String(body.length) } }
    } }) },
  { id: 'SIG-11', clause: '5.2', title: 'a signature made for another path: 401', ...UNAUTHENTICATED, send: withDeviations({ values: { '@request-target': path => `${path}/other` } }) },
  { id: 'SIG-12', clause: '5.2', title: 'a query added after signing: 401', ...UNAUTHENTICATED,
    send: context => requestToken(context, { afterSigning: withTarget(target => `${target}?x=1`) }) },
  { id: 'SIG-13', clause: '5.2', title: 'a signature made for another method: 401', ...UNAUTHENTICATED, send: withDeviations({ values: { '@method': () => 'PUT' } }) },
  { id: 'SIG-14', clause: '5.2', title: 'a signature made for another host: 401', ...UNAUTHENTICATED, send: withDeviations({ values: { '@authority': () => 'other.example' } }) },
  { id: 'SIG-20', clause: '5.2', title: 'a signed content-length that is not the real one is refused', control: 'TOK-01', refused: {},
    send: withDeviations({ values: { 'content-length': length => String(Number(length) + 1) } }) },
  { id: 'SIG-38', clause: '5.2', title: 'on a port of its own, a signature over host and port is refused', ...OBSERVING, ...UNAUTHENTICATED,
    exempt: ({ target, dialect }) => {
      if (dialect?.port === 'kept') return 'this deployment keeps the port, as RFC 9421 does (C7)'
      return new URL(target.baseUrl).port === '' ? 'on port 443 the two cannot be distinguished' : undefined
    },
    send: context => withDeviations({ values: { '@authority': host => `${host}:${new URL(context.profile.target.baseUrl).port}` } })(context) },
]

const without = (list: readonly string[], component: string) =>
  signWithDeviations({ list: list.filter(name => name !== component) })

const postWithout = (component: string) => (context: CheckContext) =>
  requestToken(context, { sign: without(WITH_BODY, component) })

const getWithout = (component: string) => (context: CheckContext) =>
  readStatus(context, { sign: without(COVERED_COMPONENTS.requestWithoutBody, component) })

// biome-ignore format: a table reads by its columns
const LISTS: SingleCallCheck[] = [
  { id: 'SIG-15', clause: '5.2', title: 'a POST whose list leaves out content-digest is refused', control: 'TOK-01', refused: {},
    send: postWithout('content-digest') },
  { id: 'SIG-16', clause: '5.2', title: 'a list without @request-target is refused', control: 'TOK-01', refused: {},
    send: postWithout('@request-target') },
  { id: 'SIG-46', clause: '5.2', title: 'a list without @authority is refused', control: 'TOK-01', refused: {}, send: postWithout('@authority') },
  { id: 'SIG-47', clause: '5.2', title: 'a list without @method is refused', control: 'TOK-01', refused: {}, send: postWithout('@method') },
  { id: 'SIG-48', clause: '5.2', title: 'a POST whose list leaves out content-type is refused', control: 'TOK-01', refused: {}, send: postWithout('content-type') },
  { id: 'SIG-49', clause: '5.2', title: 'a POST whose list leaves out content-length is refused', control: 'TOK-01', refused: {}, send: postWithout('content-length') },
  { id: 'SIG-50', clause: '5.2', title: 'a bodyless GET whose list leaves out @authority is refused', control: 'SIG-21', refused: {}, send: getWithout('@authority') },
  { id: 'SIG-51', clause: '5.2', title: 'a bodyless GET whose list leaves out @method is refused', control: 'SIG-21', refused: {}, send: getWithout('@method') },
  { id: 'SIG-17', clause: '5.2', title: 'list and base agree on another order than the documented one: refused', ...assumed('D-29'), control: 'TOK-01', refused: {},
    send: withDeviations({ list: REVERSED }) },
  { id: 'SIG-18', clause: '5.2', title: 'list and base disagree on the order: 401', ...UNREADABLE, send: withDeviations({ list: REVERSED, base: WITH_BODY }) },
  { id: 'SIG-22', clause: '5.2', title: 'a bodyless GET whose list names content-digest is refused', ...assumed('D-29'), control: 'SIG-21', refused: {},
    send: context => readStatus(context, { sign: signWithDeviations({ list: [...COVERED_COMPONENTS.requestWithoutBody, 'content-digest'] }) }) },
  { id: 'SIG-25', clause: '5.2', title: 'a digest by another algorithm is refused', ...assumed('D-11'), control: 'TOK-01', refused: {},
    send: withDeviations({ digest: body => `md5=:${hash('md5', body, 'base64')}:` }) },
  { id: 'SIG-26', clause: '4, 7.1', title: 'a POST without Content-Digest is refused', control: 'TOK-01', refused: { decidedBy: 'D-11' },
    send: context => requestToken(context, { afterSigning: withoutHeader('content-digest') }) },
  { id: 'SIG-35', clause: '5.2', title: 'another label than service_sig is refused', ...assumed('D-29'), control: 'TOK-01', refused: {},
    send: withDeviations({ label: 'sig1' }) },
]

const created = (shift: (now: number) => number) => (context: CheckContext) =>
  requestToken(context, { signing: { created: shift(nowSeconds()) } })

// biome-ignore format: a table reads by its columns
const TIMES_AND_KEYS: SingleCallCheck[] = [
  { id: 'SIG-27', clause: '5.2', title: 'parameters without created are refused', control: 'TOK-01', refused: {},
    send: withDeviations({ parameters: text => text.replace(/;created=\d+/, '') }) },
  { id: 'SIG-28', clause: '5.2', title: 'created a day ago is refused', ...assumed('D-25'), control: 'TOK-01', refused: {}, send: created(at => at - DAY) },
  { id: 'SIG-29', clause: '5.2', title: 'created a day ahead is refused', ...assumed('D-25'), control: 'TOK-01', refused: {}, send: created(at => at + DAY) },
  { id: 'SIG-31', clause: '5.2', title: 'created in milliseconds is refused', ...assumed('D-25'), control: 'TOK-01', refused: {}, send: created(at => at * 1000) },
  { id: 'SIG-32', clause: '5.2', title: "a sound signature by another organization's key is refused", ...assumed('D-30'), control: 'TOK-01', refused: { core: true, decidedBy: 'D-30' },
    needs: ['secondOrganization'],
    send: async context => {
      const { merchant } = await context.secondOrganization()
      return requestToken(context, { signingKey: keyFor(merchant.credentials.signingKeys, () => true, 'second') })
    } },
]

/** Extends a check to expect also an access token in the response, so that an indiscriminate 200 does not pass. */
const expectingToken = (check: SingleCallCheck): SingleCallCheck => ({
  ...check,
  judge: (evidence, expect) => {
    const exchange = evidence.of(check.id)
    expect.served(exchange)
    if (check.id !== 'SIG-21')
      expect.holds('access_token' in expect.json(exchange), 'a token', expect.describeJudged(exchange), exchange)
  },
})

/** Finds a call behind a token that has a body and changes nothing: a deployment may search by GET. */
const readWithBody = (profile: Profile) => (['search', 'providers'] as const).find(name => hasBody({ profile }, name))

/** Creates a check of a signature of a read with a body; by default it must be served. */
const ofSearch = (
  id: string,
  title: string,
  alter: (context: CheckContext) => CallOverrides,
  more: Partial<SingleCallCheck> = { control: 'IDM-24' },
): SingleCallCheck => ({
  id,
  clause: '5.2',
  title,
  exempt: profile => (readWithBody(profile) ? undefined : 'no read has a body here'),
  send: context => {
    const name = readWithBody(context.profile) ?? 'search'
    const json = name === 'search' ? { clientTransactionId: uniqueReference() } : { country: 'PL' }
    return context.merchant.request(name, { json, indent: 1 }, alter(context))
  },
  ...more,
})

const lineBreakChanged = withBody(body => body.replace('\n', ' '))
const inCapitals = withHeader('content-type', type => type.toUpperCase())
const withCharset = withHeader('content-type', type => `${type}; charset=utf-8`)

// biome-ignore format: a table reads by its columns
const OF_SEARCH: SingleCallCheck[] = [
  ofSearch('SIG-52', 'P-384 with SHA-384 is accepted on a read', context => keyOf(context, 'ECDSA_SHA_384')),
  ofSearch('SIG-53', 'P-521 with SHA-512 is accepted on a read', context => keyOf(context, 'ECDSA_SHA_512')),
  ofSearch('SIG-54', 'a sha-384 digest is accepted on a read',   () => ({ signing: { digest: 'sha-384' } })),
  ofSearch('SIG-55', 'a sha-512 digest is accepted on a read',   () => ({ signing: { digest: 'sha-512' } })),
  ofSearch('SIG-56', 'a Content-Type with a charset, signed without it, is accepted on a read', () => ({ beforeSigning: withCharset })),
  ofSearch('SIG-57', 'a Content-Type in capitals, signed in lower case, is accepted on a read', () => ({ beforeSigning: inCapitals })),
  ofSearch('SIG-58', 'a read whose body was changed after signing, with a sha-384 digest: 400', () => ({ signing: { digest: 'sha-384' }, afterSigning: lineBreakChanged }), { control: 'SIG-54', refused: { status: 400 } }),
  ofSearch('SIG-59', 'a read whose body was changed after signing, with a sha-512 digest: 400', () => ({ signing: { digest: 'sha-512' }, afterSigning: lineBreakChanged }), { control: 'SIG-55', refused: { status: 400 } }),
]

/** Scenario with checks of signatures beyond the token call (5.2). */
export const signaturesOfSearches = singleCallScenario({ name: 'signatures of searches', tier: 1 }, OF_SEARCH)

/** Scenarios with checks of request signatures (5.2), made with the token call, which changes nothing. */
export const requestSignatures = [
  singleCallScenario({ name: 'signatures that are fine', tier: 1 }, SERVED.map(expectingToken)),
  singleCallScenario({ name: 'broken signatures', tier: 1 }, BROKEN),
  singleCallScenario({ name: 'signatures of another request', tier: 1 }, STALE),
  singleCallScenario({ name: 'lists of components', tier: 1 }, LISTS),
  singleCallScenario({ name: 'times and keys', tier: 1 }, TIMES_AND_KEYS),
]
