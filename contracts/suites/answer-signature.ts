import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/exchange.ts'
import { keysOf } from '../client/key-set.ts'
import type { Check, Journey } from '../harness/check.ts'
import type { Expect } from '../harness/expect.ts'
import { Open } from '../harness/signals.ts'
import { headerOf, withUsualHeaders } from '../harness/slots.ts'
import { contentDigestFault } from '../protocol/content-digest.ts'
import { isDigest, verifyCovered } from './covered.ts'
import { initiate } from './given.ts'
import { askToken, readKeys, readStatus, readUnknown } from './vehicles.ts'
import type { World } from './world.ts'

type Step = 'served' | 'refused' | 'token' | 'keys'

const isSigned = (exchange: Exchange, expect: Expect): void => {
  expect.answered(exchange)
  const names = ['signature', 'signatureInput'] as const
  const found = names.filter(name => headerOf(expect.profile, exchange, name) !== undefined)
  if (found.length < names.length && looksSigned(exchange)) throw new Open(otherNames(expect), exchange)
  expect.holds(found.length === names.length, 'a signature and what it covers', found.join() || 'neither', exchange)
}

const otherNames = ({ profile }: Expect): string =>
  `the answer is signed under other names: correct headers.signature and headers.signatureInput in ${profile.file}`

/** A header with as many characters of Base64 as a signature has, digests apart, may well be one (5.4). */
const looksSigned = ({ answer }: Exchange): boolean =>
  Object.values(answer?.headers ?? {}).some(value =>
    /[\w+/-]{80}/.test(value.replace(/\bsha-\d+=:[\w+/]+={0,2}:/gi, '')),
  )

const noDigest = ({ profile }: Expect): string =>
  `no digest is seen: if answers have one, say in ${profile.file} as headers.contentDigest what its header is called`

const keyIdOf = (exchange: Exchange, { profile }: Expect): string =>
  /keyid="([^"]*)"/.exec(headerOf(profile, exchange, 'signatureInput') ?? '')?.[1] ?? 'none'

/** The hash under the signature, which the document may mean as well as the digest (S21). */
const hashOf = async (exchange: Exchange, keys: Exchange, expect: Expect): Promise<string> => {
  const covered = await verifyCovered(withUsualHeaders(expect.profile, exchange), keys)
  const usual = keysOf(keys).get(keyIdOf(exchange, expect))?.algorithm.hash
  const hash = 'hash' in covered ? covered.hash : usual
  if (hash === undefined) throw new Open(unreadable('the hash of its signature cannot be told', expect), exchange)
  return hash
}

const unreadable = (why: string, { profile }: Expect): string =>
  `${why}: an answer that is signed otherwise than ${profile.file} can say is not judged`

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']

const keysIn = (exchange: Exchange, expect: Expect): Record<string, unknown>[] => {
  const { keys } = expect.json(exchange)
  expect.holds(Array.isArray(keys) && keys.length > 0, 'a keys array that is not empty', keys ?? 'nothing', exchange)
  return keys as Record<string, unknown>[]
}

const checks: Check<Step>[] = [
  {
    id: 'RSP-01',
    clause: '5.4',
    title: 'a success is signed',
    judge: (evidence, expect) => {
      expect.served(evidence.of('served'))
      isSigned(evidence.of('served'), expect)
    },
  },
  {
    id: 'RSP-02',
    clause: '5.4',
    title: 'that signature verifies with a key of the key set',
    control: 'RSP-01',
    judge: (evidence, expect) => verifies(evidence.of('served'), evidence.of('keys'), expect),
  },
  {
    id: 'RSP-05',
    clause: '5.4',
    title: 'the hash of an answer is sha-512 by default',
    control: 'RSP-01',
    judge: async (evidence, expect) => {
      const { headers } = expect.answered(evidence.of('served'))
      if (Object.values(headers).some(value => /\bsha-512=/i.test(value))) return
      expect.served(evidence.of('keys'))
      const hash = await hashOf(evidence.of('served'), evidence.of('keys'), expect)
      const digest = headerOf(expect.profile, evidence.of('served'), 'contentDigest') ?? 'no digest'
      const got = `${digest} and a signature by ${hash}`
      expect.holds(hash === 'sha512', 'a sha-512 digest, or a signature by SHA-512', got, evidence.of('served'))
    },
  },
  {
    id: 'RSP-06',
    clause: '5.4',
    title: 'a refusal is signed too',
    control: 'RSP-01',
    judge: (evidence, expect) => {
      const refused = evidence.of('refused')
      expect.holds(expect.answered(refused).status >= 400, 'a refusal', expect.told(refused), refused)
      return verifies(refused, evidence.of('keys'), expect)
    },
  },
  {
    id: 'RSP-07',
    clause: '5.4',
    title: 'a token answer is signed too',
    control: 'RSP-01',
    judge: (evidence, expect) => {
      expect.served(evidence.of('token'))
      return verifies(evidence.of('token'), evidence.of('keys'), expect)
    },
  },
  {
    id: 'RSP-08',
    clause: '5.4',
    title: "the answer's key id is found in the key set",
    basis: 'assumed',
    decisions: ['D-27'],
    control: 'RSP-01',
    judge: (evidence, expect) => {
      expect.answered(evidence.of('served'))
      const ids = keysIn(evidence.of('keys'), expect).map(key => key.kid)
      const keyId = keyIdOf(evidence.of('served'), expect)
      expect.holds(ids.includes(keyId), `one of the key ids ${ids.join(', ')}`, keyId, evidence.of('served'))
    },
  },
  {
    id: 'RSP-09',
    clause: '5.4',
    title: "an answer's digest matches its own bytes",
    control: 'RSP-01',
    judge: (evidence, expect) => {
      const { body } = expect.answered(evidence.of('served'))
      const digest = headerOf(expect.profile, evidence.of('served'), 'contentDigest') ?? ''
      if (!isDigest(digest)) throw new Open(noDigest(expect), evidence.of('served'))
      const fault = contentDigestFault(digest, body)
      expect.holds(fault === undefined, 'a digest that matches', fault ?? '', evidence.of('served'))
    },
  },
]

const verifies = async (exchange: Exchange, keys: Exchange, expect: Expect): Promise<void> => {
  expect.answered(exchange)
  expect.served(keys)
  const covered = await verifyCovered(withUsualHeaders(expect.profile, exchange), keys)
  if ('unread' in covered) throw new Open(unreadable(covered.unread, expect), exchange)
  expect.holds('hash' in covered, 'a signature that verifies', 'fault' in covered ? covered.fault : '', exchange)
}

const keySet: Journey<World, 'keys'> = {
  name: 'the key set',
  tier: 0,
  play: (world, keep) => keep('keys', readKeys(world)),
  checks: [
    {
      id: 'RSP-04',
      clause: '4',
      title: 'the key set is JSON with a keys array',
      basis: 'assumed',
      decisions: ['D-28'],
      judge: (evidence, expect) => void keysIn(evidence.of('keys'), expect),
    },
    {
      id: 'RSP-03',
      clause: '4, 5.4',
      title: 'the key set holds public members only',
      control: 'RSP-04',
      judge: (evidence, expect) => {
        const found = keysIn(evidence.of('keys'), expect).flatMap(key => PRIVATE_MEMBERS.filter(name => name in key))
        expect.equal('private members', found, [], evidence.of('keys'))
      },
    },
  ],
}

const signed: Journey<World, Step> = {
  name: 'signatures of answers',
  tier: 1,
  play: async (world, keep) => {
    await keep('keys', readKeys(world))
    await keep('token', askToken(world))
    await keep('refused', readUnknown(world))
    await keep('served', readStatus(world))
  },
  checks,
}

const replayed: Journey<World, 'keys' | 'replay'> = {
  name: 'signature of a replayed answer',
  tier: 3,
  needs: ['control.url'],
  play: async (world, keep) => {
    await keep('keys', world.merchant.request('keySet'))
    const first = await initiate(world, undefined, { idempotencyKey: randomUUID() })
    const { headers, body } = first.request
    const idempotencyKey = headers['idempotency-key'] ?? ''
    await keep('replay', world.merchant.request('initiate', { idempotencyKey, ...(body && { bytes: body }) }))
  },
  checks: [
    {
      id: 'RSP-10',
      clause: '5.4, I3',
      title: 'a replayed answer verifies as well',
      basis: 'assumed',
      decisions: ['D-21'],
      control: 'RSP-01',
      judge: (evidence, expect) => {
        expect.served(evidence.of('replay'))
        return verifies(evidence.of('replay'), evidence.of('keys'), expect)
      },
    },
  ],
}

/** Signatures of answers and the key set (5.4). */
export const answerSignature = [keySet, signed, replayed]
