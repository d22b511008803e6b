import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Journey } from '../harness/check.ts'
import { Blocked, Open } from '../harness/signals.ts'
import { algorithmOfKey } from '../protocol/algorithms.ts'
import type { SigningKey } from '../protocol/sign.ts'
import { askToken } from './vehicles.ts'
import type { World } from './world.ts'

const publicPem = (privateKey: KeyObject): string =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()

const signingKey = (keyId: string, privateKey: KeyObject): SigningKey => {
  const algorithm = algorithmOfKey(privateKey)
  if (algorithm) return { keyId, algorithm, privateKey }
  throw new Open('the key of the client certificate is of no kind that could sign: give one with an EC key')
}

/** A key comes and goes beside the one in use (5.2). The one in use is never touched. */
const rotation: Journey<World, 'old key' | 'new key' | 'deregistered key'> = {
  name: 'rotation of signing keys',
  tier: 3,
  needs: ['control.url'],
  play: async (world, keep) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const keyId = await world.operator.registerKey(publicPem(privateKey))
    if (keyId === undefined) throw new Blocked('a fresh P-256 key could not be registered')
    const alter = { signingKey: signingKey(keyId, privateKey) }
    await keep('new key', askToken(world, alter))
    await keep('old key', askToken(world))
    await world.operator.deregisterKey(keyId)
    await keep('deregistered key', askToken(world, alter))
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

/** The key of the certificate is offered for signing, and signs whatever the portal said (5.1). */
const oneKeyForBoth: Journey<World, 'both'> = {
  name: 'one key for certificate and signature',
  tier: 3,
  needs: ['control.url'],
  play: async (world, keep) => {
    const { identity, signingKeys } = world.merchant.credentials
    const privateKey = createPrivateKey(identity.privateKey)
    const keyId = await world.operator.registerKey(publicPem(privateKey))
    const key = signingKey(keyId ?? signingKeys[0]?.keyId ?? 'none', privateKey)
    await keep('both', askToken(world, { signingKey: key }))
    if (keyId !== undefined) await world.operator.deregisterKey(keyId)
  },
  checks: [
    {
      id: 'MTLS-11',
      clause: '5.1',
      title: 'who uses one key for the certificate and for signing is refused',
      basis: 'assumed',
      decisions: ['D-84'],
      control: 'SIG-01',
      judge: (evidence, expect) => expect.refused(evidence.of('both')),
    },
  ],
}

/** What becomes of signing keys over time (5.1, 5.2); a portal has to be asked. */
export const keyLifecycle = [rotation, oneKeyForBoth]
