import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import { readVerifyingKeys } from '../client/service-key-set.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { findSignatureHeader, withStandardHeaders } from '../harness/profile/response-fields-and-line-advice.ts'
import { describeDigestError } from '../protocol/content-digest.ts'
import { acceptedResponseDialect } from '../protocol/match-signature-dialect.ts'
import { readSignatureInput } from '../protocol/signature-input.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { type KeySetStep, readKeySets } from './evidence/key-set-before-and-after.ts'
import { hasKnownDigest, verifyResponseSignature } from './evidence/verify-response-signature.ts'
import { unjudgedSignature } from './evidence/verify-with-key-set.ts'
import { initiate } from './given/create-payments.ts'
import { readKeySet, readStatus, readUnknownPayment, requestToken } from './given/harmless-calls.ts'

type Step = 'served' | 'refused' | 'token' | KeySetStep

const expectSigned = (exchange: Exchange, expect: Expect): void => {
  expect.response(exchange)
  const names = ['signature', 'signatureInput'] as const
  const found = names.filter(name => findSignatureHeader(expect.profile, exchange, name) !== undefined)
  if (found.length < names.length && looksSigned(exchange)) throw new Untestable(otherNames(expect), exchange)
  expect.holds(found.length === names.length, 'a signature and what it covers', found.join() || 'neither', exchange)
}

const otherNames = ({ profile }: Expect): string =>
  `the response is signed under other header names: correct headers.signature and headers.signatureInput in ${profile.file}`

/** A header value that is all Base64, or a JWS without payload; or a part of one that is bytes, or is named a signature. */
const SIGNATURE = /^(?:[\w-]+\.\.)?[\w+/-]{80,}={0,2}$|(?:=:|\bsig\w*=["']?)[\w+/-]{80}/i

/** Whether any response header but a cookie holds 80 characters that are no digest and probably a signature (5.4). */
const looksSigned = ({ response }: Exchange): boolean =>
  Object.entries(response?.headers ?? {}).some(
    ([name, value]) => name !== 'set-cookie' && SIGNATURE.test(value.replace(/\bsha-\d+=:[\w+/]+={0,2}:/gi, '').trim()),
  )

const noDigest = ({ profile }: Expect): string =>
  `no digest is found: if responses have one, say in ${profile.file} as headers.contentDigest the name of its header`

const keyIdOf = (exchange: Exchange, { profile }: Expect): string =>
  /keyid="([^"]*)"/.exec(findSignatureHeader(profile, exchange, 'signatureInput') ?? '')?.[1] ?? 'none'

/** Returns the hash function of the response signature: clause 5.4 may mean it, or the digest (S21). */
const signatureHash = async (exchange: Exchange, keys: Exchange, expect: Expect): Promise<string> => {
  const covered = await verifiedAsDeclared(exchange, keys, expect)
  const usual = readVerifyingKeys(keys).get(keyIdOf(exchange, expect))?.algorithm.hash
  const hash = 'hash' in covered ? covered.hash : usual
  if (hash === undefined)
    throw new Untestable(
      unjudgedSignature('the hash of its signature cannot be determined', expect.profile.file),
      exchange,
    )
  return hash
}

/** Verifies a response signature by the header names and the dialect of the profile. */
const verifiedAsDeclared = (exchange: Exchange, keys: Exchange, { profile }: Expect) =>
  verifyResponseSignature(withStandardHeaders(profile, exchange), keys, acceptedResponseDialect(profile.responses))

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']

const readKeys = (exchange: Exchange, expect: Expect): Record<string, unknown>[] => {
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
      expectSigned(evidence.of('served'), expect)
    },
  },
  {
    id: 'RSP-02',
    clause: '5.4',
    title: 'that signature verifies with a key of the key set',
    control: 'RSP-01',
    judge: (evidence, expect) => expectVerified(evidence.of('served'), readKeySets(evidence), expect),
  },
  {
    id: 'RSP-05',
    clause: '5.4',
    title: 'the hash of a response is sha-512 by default',
    control: 'RSP-01',
    judge: async (evidence, expect) => {
      const { headers } = expect.response(evidence.of('served'))
      const chosen = expect.profile.responses?.digest
      const hasDigest = (name: string) => Object.values(headers).some(value => value.toLowerCase().includes(`${name}=`))
      if (chosen !== undefined && chosen !== 'sha-512')
        return expect.holds(hasDigest(chosen), `a ${chosen} digest, as the profile says`, 'none', evidence.of('served'))
      if (hasDigest('sha-512')) return
      expect.served(readKeySets(evidence))
      const hash = await signatureHash(evidence.of('served'), readKeySets(evidence), expect)
      const digest = findSignatureHeader(expect.profile, evidence.of('served'), 'contentDigest') ?? 'no digest'
      const got = `${digest} and a signature by ${hash}`
      expect.holds(hash === 'sha512', 'a sha-512 digest, or a signature by SHA-512', got, evidence.of('served'))
    },
  },
  {
    id: 'RSP-06',
    clause: '5.4',
    title: 'a refusal is signed too',
    ...assumed('D-26'),
    control: 'RSP-01',
    judge: (evidence, expect) => {
      const refused = evidence.of('refused')
      expect.holds(expect.response(refused).status >= 400, 'a refusal', expect.describeJudged(refused), refused)
      return expectVerified(refused, readKeySets(evidence), expect)
    },
  },
  {
    id: 'RSP-07',
    clause: '5.4',
    title: 'a token response is signed too',
    ...assumed('D-26'),
    control: 'RSP-01',
    judge: (evidence, expect) => {
      expect.served(evidence.of('token'))
      return expectVerified(evidence.of('token'), readKeySets(evidence), expect)
    },
  },
  {
    id: 'RSP-08',
    clause: '5.4',
    title: "the response's key id is in the key set",
    ...assumed('D-27'),
    control: 'RSP-01',
    judge: (evidence, expect) => {
      expect.response(evidence.of('served'))
      const ids = readKeys(readKeySets(evidence), expect).map(key => key.kid)
      const keyId = keyIdOf(evidence.of('served'), expect)
      expect.holds(ids.includes(keyId), `one of the key ids ${ids.join(', ')}`, keyId, evidence.of('served'))
    },
  },
  {
    id: 'RSP-09',
    clause: '5.4',
    title: "a response's digest matches its bytes",
    control: 'RSP-01',
    judge: (evidence, expect) => {
      const { body } = expect.response(evidence.of('served'))
      const digest = findSignatureHeader(expect.profile, evidence.of('served'), 'contentDigest') ?? ''
      const { digest: wanted } = expect.profile.responses ?? {}
      if (digest === '' || !(hasKnownDigest(digest) || wanted))
        throw new Untestable(noDigest(expect), evidence.of('served'))
      const error = describeDigestError(digest, body, wanted)
      expect.holds(error === undefined, 'a digest that matches', error ?? '', evidence.of('served'))
    },
  },
  {
    id: 'RSP-11',
    clause: '5.4',
    title: 'the signature of a response covers its body',
    ...assumed('D-27'),
    control: 'RSP-02',
    judge: (evidence, expect) => {
      const served = withStandardHeaders(expect.profile, evidence.of('served'))
      const { headers } = expect.response(served)
      const { components } = readSignatureInput(headers['signature-input'] ?? '', expect.profile.responses?.label)
      const covered = components.includes('content-digest')
      expect.holds(covered, 'a signature over the digest of the body', `one over ${components.join(', ')}`, served)
    },
  },
]

/** Expects that a response is signed and verifies with a key of the key set (5.4); untestable where it cannot be read. */
export const expectVerified = async (exchange: Exchange, keys: Exchange, expect: Expect): Promise<void> => {
  expect.response(exchange)
  expect.served(keys)
  const covered = await verifiedAsDeclared(exchange, keys, expect)
  if ('unread' in covered) throw new Untestable(unjudgedSignature(covered.unread, expect.profile.file), exchange)
  expect.holds('hash' in covered, 'a signature that verifies', 'error' in covered ? covered.error : '', exchange)
}

const keySet: CheckScenario<CheckContext, 'keys'> = {
  name: 'the key set',
  tier: 0,
  play: (context, keep) => keep('keys', readKeySet(context)),
  checks: [
    {
      id: 'RSP-04',
      clause: '4',
      title: 'the key set is JSON with a keys array',
      ...assumed('D-28'),
      judge: (evidence, expect) => void readKeys(evidence.of('keys'), expect),
    },
    {
      id: 'RSP-03',
      clause: '4, 5.4',
      title: 'the key set holds public members only',
      control: 'RSP-04',
      judge: (evidence, expect) => {
        const found = readKeys(evidence.of('keys'), expect).flatMap(key => PRIVATE_MEMBERS.filter(name => name in key))
        expect.equal('private members', found, [], evidence.of('keys'))
      },
    },
  ],
}

const signed: CheckScenario<CheckContext, Step> = {
  name: 'signatures of responses',
  tier: 1,
  play: async (context, keep) => {
    await keep('keys before', readKeySet(context))
    await keep('token', requestToken(context))
    await keep('refused', readUnknownPayment(context))
    await keep('served', readStatus(context))
    await keep('keys', readKeySet(context))
  },
  checks,
}

const replayed: CheckScenario<CheckContext, 'replay' | KeySetStep> = {
  name: 'signature of a replayed response',
  tier: 3,
  play: async (context, keep) => {
    await keep('keys before', readKeySet(context))
    const first = await initiate(context, { will: 'wait', parts: { idempotencyKey: randomUUID() } })
    const { headers, body } = first.request
    const idempotencyKey = headers['idempotency-key'] ?? ''
    await keep('replay', context.merchant.request('initiate', { idempotencyKey, ...(body && { bytes: body }) }))
    await keep('keys', readKeySet(context))
  },
  checks: [
    {
      id: 'RSP-10',
      clause: '5.4, I3',
      title: 'a replayed response verifies as well',
      ...assumed('D-21'),
      control: 'RSP-01',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('replay'), 'a replay of initiate', expect)
        return expectVerified(evidence.of('replay'), readKeySets(evidence), expect)
      },
    },
  ],
}

/** Scenarios with checks of response signatures and of the key set (4, 5.4). */
export const responseSignatures = [keySet, signed, replayed]
