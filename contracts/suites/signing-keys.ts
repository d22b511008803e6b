import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { Blocked, Untestable } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { readSigningKey } from '../harness/profile/read-profile-credentials.ts'
import type { SigningKey } from '../protocol/sign-messages.ts'
import { algorithmOfKey } from '../protocol/signature-algorithms.ts'
import { singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { requestToken } from './given/harmless-calls.ts'

const publicPem = (privateKey: KeyObject): string =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()

const signingKey = (keyId: string, privateKey: KeyObject): SigningKey => {
  const algorithm = algorithmOfKey(privateKey)
  if (algorithm) return { keyId, algorithm, privateKey }
  throw new Untestable('the key of the client certificate is of no kind that could sign: give one with an EC key')
}

/** Registers a second signing key for a while; the key in use is not touched (5.2). */
const rotation: CheckScenario<CheckContext, 'old key' | 'new key'> = {
  name: 'rotation of signing keys',
  tier: 3,
  needs: ['keys.register'],
  play: async (context, keep) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const keyId = await context.control.registerKey(publicPem(privateKey))
    if (keyId === undefined) throw new Blocked('a fresh P-256 key could not be registered')
    const alter = { signingKey: signingKey(keyId, privateKey) }
    await keep('new key', requestToken(context, alter))
    await keep('old key', requestToken(context))
    await context.control.deregisterKey(keyId)
  },
  checks: [
    {
      id: 'SIG-34',
      clause: '5.2',
      title: 'while they overlap, both the old and the new key are accepted',
      control: 'SIG-01',
      judge: (evidence, expect) => {
        expect.served(evidence.of('new key'))
        expect.served(evidence.of('old key'))
      },
    },
  ],
}

/**
 * Returns a signing key that was deregistered, for checks: the profile's, else a new one that control registers and
 * deregisters.
 */
export const deregisteredKey = async ({ profile, control }: CheckContext): Promise<SigningKey> => {
  const given = readSigningKey(profile, 'revokedKey')
  if (given) return given
  mustBeSandbox(profile, 'revokedKey')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyId = await control.registerKey(publicPem(privateKey))
  if (keyId === undefined) throw new Blocked('a fresh P-256 key could not be registered')
  await control.deregisterKey(keyId)
  return signingKey(keyId, privateKey)
}

/** More than a key is valid (5.2). */
const OVER_A_YEAR = 'P366D'

/** Asks for a token with an expired key: the profile's, else that of a new organization, a year later on its clock. */
const requestTokenWithExpiredKey = async (context: CheckContext): Promise<Exchange> => {
  const key = readSigningKey(context.profile, 'expiredKey')
  if (key) return requestToken(context, { signingKey: key })
  mustBeSandbox(context.profile, 'expiredKey')
  const { merchant, clock } = await context.organizationForTime()
  await clock.pass(OVER_A_YEAR)
  return merchant.request('token', { form: merchant.tokenForm('payments:read') })
}

const mustBeSandbox = ({ file, target }: Profile, line: string): void => {
  if (target.environment === 'production')
    throw new Untestable(`no such key is at hand in production: add to ${file} the line ${line} with one`)
}

/** Calls with keys that no longer count (5.2). */
const formerKeys = singleCallScenario({ name: 'signing keys that no longer count', tier: 1 }, [
  {
    id: 'SIG-33',
    clause: '5.2',
    title: 'a deregistered signing key: 401',
    control: 'SIG-01',
    needs: ['keys.deregistered'],
    send: async context => requestToken(context, { signingKey: await deregisteredKey(context) }),
    refused: { status: 401 },
  },
  {
    id: 'SIG-43',
    clause: '5.2',
    title: 'an expired signing key: 401',
    control: 'SIG-01',
    needs: ['keys.expired'],
    send: requestTokenWithExpiredKey,
    refused: { status: 401 },
  },
])

/** Signs with the key of the client certificate, whether or not it could be registered (5.1). */
const oneKeyForBoth: CheckScenario<CheckContext, 'both'> = {
  name: 'one key for certificate and signature',
  tier: 3,
  needs: ['keys.register'],
  play: async (context, keep) => {
    const { identity, signingKeys } = context.merchant.credentials
    const privateKey = createPrivateKey(identity.privateKey)
    const keyId = await context.control.registerKey(publicPem(privateKey))
    const key = signingKey(keyId ?? signingKeys[0]?.keyId ?? 'none', privateKey)
    await keep('both', requestToken(context, { signingKey: key }))
    if (keyId !== undefined) await context.control.deregisterKey(keyId)
  },
  checks: [
    {
      id: 'MTLS-11',
      clause: '5.1',
      title: 'who uses one key for the certificate and for signing is refused',
      ...assumed('D-84'),
      control: 'SIG-01',
      judge: (evidence, expect) => expect.refused(evidence.of('both'), { core: true }),
    },
  ],
}

/**
 * Scenarios with checks of registering signing keys, of one key for two purposes, of keys that no longer count (5.1,
 * 5.2).
 */
export const signingKeys = [rotation, formerKeys, oneKeyForBoth] as const
