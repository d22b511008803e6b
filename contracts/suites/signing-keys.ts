import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { Blocked, Untestable } from '../harness/judge/verdict-errors.ts'
import type { SigningKey } from '../protocol/sign-messages.ts'
import { algorithmOfKey } from '../protocol/signature-algorithms.ts'
import type { CheckContext } from './context/check-context.ts'
import { requestToken } from './given/harmless-calls.ts'

const publicPem = (privateKey: KeyObject): string =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()

const signingKey = (keyId: string, privateKey: KeyObject): SigningKey => {
  const algorithm = algorithmOfKey(privateKey)
  if (algorithm) return { keyId, algorithm, privateKey }
  throw new Untestable('the key of the client certificate is of no kind that could sign: give one with an EC key')
}

/** Registers and deregisters a second signing key; the key in use is not touched (5.2). */
const rotation: CheckScenario<CheckContext, 'old key' | 'new key' | 'deregistered key'> = {
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
    await keep('deregistered key', requestToken(context, alter))
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
    {
      id: 'SIG-33',
      clause: '5.2',
      title: 'a deregistered signing key: 401',
      control: 'SIG-34',
      judge: (evidence, expect) => expect.refused(evidence.of('deregistered key'), { status: 401 }),
    },
  ],
}

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

/** Checks of registering and deregistering signing keys (5.1, 5.2); they need a control address. */
export const signingKeys = [rotation, oneKeyForBoth]
