import { hash } from 'node:crypto'
import { nowSeconds } from '../client/real-time.ts'
import { Open } from '../harness/signals.ts'
import type { Algorithm, AlgorithmName } from '../protocol/algorithms.ts'
import { contentDigest } from '../protocol/content-digest.ts'
import type { SigningKey } from '../protocol/sign.ts'
import { COMPONENTS } from '../protocol/signature-base.ts'
import { type Forgery, forge, withBody, withHeader, withOneCharacterChanged, without, withTarget } from './alter.ts'
import { type Probe, probing } from './probe.ts'
import { askToken, readStatus } from './vehicles.ts'
import type { World } from './world.ts'

const WITH_BODY = COMPONENTS.requestWithBody
const REVERSED = [...WITH_BODY].reverse()
const DAY = 86_400

const firstKey = ({ merchant }: World): SigningKey => keyFor(merchant.credentials.signingKeys, () => true, 'signing')

const keyFor = (keys: readonly SigningKey[], fits: (key: SigningKey) => boolean, kind: string): SigningKey => {
  const found = keys.find(fits)
  if (found) return found
  throw new Open(`the credentials hold no ${kind} key: add one to organization in the profile`)
}

const signedBy = (name: AlgorithmName) => (world: World) =>
  askToken(world, {
    signingKey: keyFor(world.merchant.credentials.signingKeys, key => key.algorithm.name === name, name),
  })

const wrongHash = (key: SigningKey): SigningKey => {
  const other = key.algorithm.hash === 'sha256' ? 'sha384' : 'sha256'
  return { ...key, algorithm: { ...key.algorithm, hash: other } as Algorithm }
}

/** Another form of the same length and meaning: but for its digest, the call would be served. */
const reordered = (form: string): string => form.split('&').reverse().join('&')

const forged = (forgery: Forgery) => (world: World) => askToken(world, { sign: forge(forgery) })

// biome-ignore format: a table reads by its columns
const SERVED: Probe[] = [
  { id: 'SIG-01', clause: '5.2', title: 'P-256 with SHA-256 is accepted', send: signedBy('ECDSA_SHA_256') },
  { id: 'SIG-02', clause: '5.2', title: 'P-384 with SHA-384 is accepted', send: signedBy('ECDSA_SHA_384') },
  { id: 'SIG-03', clause: '5.2', title: 'P-521 with SHA-512 is accepted', send: signedBy('ECDSA_SHA_512') },
  { id: 'SIG-19', clause: '5.2', title: 'a Content-Type with a charset, signed without it, is accepted',
    send: world => askToken(world, { beforeSigning: withHeader('content-type', type => `${type}; charset=utf-8`) }) },
  { id: 'SIG-21', clause: '5.2', title: 'a GET signed without the three body components is accepted', send: world => readStatus(world) },
  { id: 'SIG-23', clause: '5.2', title: 'a sha-384 digest is accepted', send: world => askToken(world, { signing: { digest: 'sha-384' } }) },
  { id: 'SIG-24', clause: '5.2', title: 'a sha-512 digest is accepted', send: world => askToken(world, { signing: { digest: 'sha-512' } }) },
  { id: 'SIG-39', clause: '5.2', title: 'a Host header in mixed case, signed in lower case, is accepted',
    send: world => askToken(world, { beforeSigning: withHeader('host', host => host.replace(/[a-z]/, letter => letter.toUpperCase())) }) },
]

const UNAUTHENTICATED = { control: 'SIG-01', refused: { status: 401 } }

// biome-ignore format: a table reads by its columns
const BROKEN: Probe[] = [
  { id: 'SIG-04', clause: '5.2, 7.1', title: 'a hash that does not fit the curve: 401', ...UNAUTHENTICATED,
    send: world => askToken(world, { signingKey: wrongHash(firstKey(world)) }) },
  { id: 'SIG-05', clause: '5, 7.1', title: 'no Signature header: 401', ...UNAUTHENTICATED,
    send: world => askToken(world, { afterSigning: without('signature') }) },
  { id: 'SIG-06', clause: '5, 7.1', title: 'no Signature-Input header: 401', ...UNAUTHENTICATED,
    send: world => askToken(world, { afterSigning: without('signature-input') }) },
  { id: 'SIG-07', clause: '5.2, 7.3', title: 'one byte of the signature changed: 401 with a 4xxx code', control: 'SIG-01', refused: { status: 401, code: '4' },
    send: world => askToken(world, { afterSigning: withHeader('signature', withOneCharacterChanged) }) },
  { id: 'SIG-08', clause: '7.1', title: 'an unknown keyid: 401', ...UNAUTHENTICATED,
    send: world => askToken(world, { signingKey: { ...firstKey(world), keyId: 'no-such-key' } }) },
  { id: 'SIG-42', clause: '5.2', title: 'a signature that is no byte sequence: 401', ...UNAUTHENTICATED,
    send: world => askToken(world, { afterSigning: withHeader('signature', 'service_sig="text"') }) },
]

// biome-ignore format: a table reads by its columns
const STALE: Probe[] = [
  { id: 'SIG-09', clause: '7.1', title: 'a body changed after signing: 400', control: 'SIG-01', refused: { status: 400 },
    send: world => askToken(world, { afterSigning: withBody(reordered) }) },
  { id: 'SIG-10', clause: '5.2', title: 'body and digest changed, the old signature kept: 401', ...UNAUTHENTICATED,
    send: world => askToken(world, { afterSigning: draft => {
      const changed = withBody(reordered)(draft)
      const body = changed.body ?? Buffer.alloc(0)
      return { ...changed, headers: { ...changed.headers, 'content-digest': contentDigest(body), 'content-length': String(body.length) } }
    } }) },
  { id: 'SIG-11', clause: '5.2', title: 'a signature made for another path: 401', ...UNAUTHENTICATED, send: forged({ values: { '@request-target': path => `${path}/other` } }) },
  { id: 'SIG-12', clause: '5.2', title: 'a query added after signing: 401', ...UNAUTHENTICATED,
    send: world => askToken(world, { afterSigning: withTarget(target => `${target}?x=1`) }) },
  { id: 'SIG-13', clause: '5.2', title: 'a signature made for another method: 401', ...UNAUTHENTICATED, send: forged({ values: { '@method': () => 'PUT' } }) },
  { id: 'SIG-14', clause: '5.2', title: 'a signature made for another host: 401', ...UNAUTHENTICATED, send: forged({ values: { '@authority': () => 'other.example' } }) },
  { id: 'SIG-20', clause: '5.2', title: 'a signed content-length that is not the real one is refused', control: 'SIG-01', refused: {},
    send: forged({ values: { 'content-length': length => String(Number(length) + 1) } }) },
  { id: 'SIG-38', clause: '5.2', title: 'on a port of its own, a signature over host and port is refused', ...UNAUTHENTICATED,
    exempt: ({ target, dialect }) => {
      if (dialect?.port === 'kept') return 'this deployment keeps the port, as RFC 9421 does (C7)'
      return new URL(target.baseUrl).port === '' ? 'on port 443 the two cannot be told apart' : undefined
    },
    send: world => forged({ values: { '@authority': host => `${host}:${new URL(world.profile.target.baseUrl).port}` } })(world) },
]

// biome-ignore format: a table reads by its columns
const LISTS: Probe[] = [
  { id: 'SIG-15', clause: '5.2', title: 'a POST whose list leaves out content-digest is refused', control: 'SIG-01', refused: {},
    send: forged({ list: WITH_BODY.filter(name => name !== 'content-digest') }) },
  { id: 'SIG-16', clause: '5.2', title: 'a list without @request-target is refused', control: 'SIG-01', refused: {},
    send: forged({ list: WITH_BODY.filter(name => name !== '@request-target') }) },
  { id: 'SIG-17', clause: '5.2', title: 'list and base agree on another order than the documented one: refused', basis: 'assumed', decisions: ['D-29'], control: 'SIG-01', refused: {},
    send: forged({ list: REVERSED }) },
  { id: 'SIG-18', clause: '5.2', title: 'list and base disagree on the order: 401', ...UNAUTHENTICATED, send: forged({ list: REVERSED, base: WITH_BODY }) },
  { id: 'SIG-22', clause: '5.2', title: 'a bodyless GET whose list names content-digest is refused', basis: 'assumed', decisions: ['D-29'], control: 'SIG-21', refused: {},
    send: world => readStatus(world, { sign: forge({ list: [...COMPONENTS.requestWithoutBody, 'content-digest'] }) }) },
  { id: 'SIG-25', clause: '5.2', title: 'a digest by another algorithm is refused', basis: 'assumed', decisions: ['D-11'], control: 'SIG-01', refused: {},
    send: forged({ digest: body => `md5=:${hash('md5', body, 'base64')}:` }) },
  { id: 'SIG-26', clause: '4, 7.1', title: 'a POST without Content-Digest is refused', control: 'SIG-01', refused: {},
    send: world => askToken(world, { afterSigning: without('content-digest') }) },
  { id: 'SIG-35', clause: '5.2', title: 'another label than service_sig is refused', basis: 'assumed', decisions: ['D-29'], control: 'SIG-01', refused: {},
    send: forged({ label: 'sig1' }) },
]

const created = (shift: (now: number) => number) => (world: World) =>
  askToken(world, { signing: { created: shift(nowSeconds()) } })

// biome-ignore format: a table reads by its columns
const TIMES_AND_KEYS: Probe[] = [
  { id: 'SIG-27', clause: '5.2', title: 'parameters without created are refused', control: 'SIG-01', refused: {},
    send: forged({ parameters: text => text.replace(/;created=\d+/, '') }) },
  { id: 'SIG-28', clause: '5.2', title: 'created a day ago is refused', basis: 'assumed', decisions: ['D-25'], control: 'SIG-01', refused: {}, send: created(at => at - DAY) },
  { id: 'SIG-29', clause: '5.2', title: 'created a day ahead is refused', basis: 'assumed', decisions: ['D-25'], control: 'SIG-01', refused: {}, send: created(at => at + DAY) },
  { id: 'SIG-31', clause: '5.2', title: 'created in milliseconds is refused', basis: 'assumed', decisions: ['D-25'], control: 'SIG-01', refused: {}, send: created(at => at * 1000) },
  { id: 'SIG-32', clause: '5.2', title: "a sound signature by another organization's key is refused", basis: 'assumed', decisions: ['D-30'], control: 'SIG-01', refused: {},
    needs: ['secondOrganization'],
    send: async world => {
      const { merchant } = await world.second()
      return askToken(world, { signingKey: keyFor(merchant.credentials.signingKeys, () => true, 'second') })
    } },
]

/** Accepted means that a token came of it: a page that says welcome to everybody proves nothing. */
const givingToken = (probe: Probe): Probe => ({
  ...probe,
  judge: (evidence, expect) => {
    const exchange = evidence.of(probe.id)
    expect.served(exchange)
    if (probe.id !== 'SIG-21')
      expect.holds('access_token' in expect.json(exchange), 'a token', expect.told(exchange), exchange)
  },
})

/** The request signature (5.2). Faults ride on the token call, which changes nothing. */
export const signature = [
  probing({ name: 'signatures that are fine', tier: 1 }, SERVED.map(givingToken)),
  probing({ name: 'broken signatures', tier: 1 }, BROKEN),
  probing({ name: 'signatures of another request', tier: 1 }, STALE),
  probing({ name: 'lists of components', tier: 1 }, LISTS),
  probing({ name: 'times and keys', tier: 1 }, TIMES_AND_KEYS),
]
