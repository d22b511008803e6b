import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCertificateAndKeyCache } from '../../simulator/http/certificate-and-key-cache.ts'
import type { Store } from '../../simulator/store/store.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { createSelfSignedIdentity, newKeyPair } from '../support/generate-keys-and-certificates.ts'

const { certificate: pem } = await createSelfSignedIdentity()
const { fingerprint256: fingerprint } = new X509Certificate(pem)
const { pem: publicKey } = newKeyPair()

/** A store with one key and one certificate whose look-ups can be delayed; each returns the state at its begin. */
const slowStore = () => {
  const counts = { keys: 0, certificates: 0 }
  const state: { ended?: number } = {}
  let gate = Promise.resolve()
  const store = {
    organization: async (organizationId: string) => ({
      organizationId,
      accountIds: [],
      clock: REAL_TIME_SETTING,
      kit: '',
    }),
    signingKey: async (organizationId: string, keyId: string) => {
      counts.keys += 1
      const key = { keyId, organizationId, algorithm: 'ECDSA_SHA_256', publicKey, registeredAt: 0, expiresAt: 9 }
      const { ended } = state
      await gate
      return ended === undefined ? key : { ...key, deregisteredAt: ended }
    },
    certificate: async () => {
      counts.certificates += 1
      const { ended } = state
      const found = { fingerprint, organizationId: 'shop', pem, publicKey, registeredAt: 0 }
      await gate
      return ended === undefined ? found : { ...found, revokedAt: ended }
    },
  } as unknown as Store
  const hold = () => {
    let open = () => undefined as unknown
    gate = new Promise(resolve => {
      open = () => resolve()
    })
    return open
  }
  return { store, counts, state, hold }
}

test('5.1, 5.2: a key and a certificate are looked up once until they are invalidated', async () => {
  const { store, counts, state } = slowStore()
  const trust = createCertificateAndKeyCache(store)
  for (const _time of [1, 2]) {
    expect((await trust.key('shop', 'k'))?.isDeregistered).toBe(false)
    expect((await trust.certificate(fingerprint))?.isRevoked).toBe(false)
  }
  expect(counts).toEqual({ keys: 1, certificates: 1 })
  state.ended = 5
  expect((await trust.key('shop', 'k'))?.isDeregistered).toBe(false)
  trust.invalidate()
  expect((await trust.key('shop', 'k'))?.isDeregistered).toBe(true)
  expect((await trust.certificate(fingerprint))?.isRevoked).toBe(true)
  expect(counts).toEqual({ keys: 2, certificates: 2 })
})

test('5.1, 5.2: a look-up in progress during an invalidation is not cached', async () => {
  const { store, state, hold } = slowStore()
  const trust = createCertificateAndKeyCache(store)
  const letGo = hold()
  const early = [trust.key('shop', 'k'), trust.certificate(fingerprint)]
  state.ended = 5
  trust.invalidate()
  letGo()
  await Promise.all(early)
  expect((await trust.key('shop', 'k'))?.isDeregistered).toBe(true)
  expect((await trust.certificate(fingerprint))?.isRevoked).toBe(true)
})

test('5.1, 5.2: invalidating one organization keeps the cache of others', async () => {
  const { store, counts } = slowStore()
  const trust = createCertificateAndKeyCache(store)
  const look = async () => {
    for (const organizationId of ['shop', 'other']) await trust.key(organizationId, 'k')
    await trust.certificate(fingerprint) // of the shop
    return { ...counts }
  }
  expect(await look()).toEqual({ keys: 2, certificates: 1 })
  trust.invalidate('other')
  expect(await look()).toEqual({ keys: 3, certificates: 1 })
  for (const _time of [1, 2]) trust.invalidate('shop')
  expect(await look()).toEqual({ keys: 4, certificates: 2 })
  trust.invalidate()
  expect(await look()).toEqual({ keys: 6, certificates: 3 })
})

test('5.2: keys are cached by organization and id', async () => {
  const { store, counts } = slowStore()
  const trust = createCertificateAndKeyCache(store)
  await trust.key('shop', 'k')
  await trust.key('other', 'k')
  expect(counts.keys).toBe(2)
})

test('8, D-115: unknown keys and certificates are cached until an invalidation', async () => {
  const { store } = slowStore()
  let asked = 0
  const nothing = async () => {
    asked += 1
    return undefined
  }
  const absent: Store = { ...store, signingKey: nothing, certificate: nothing }
  const trust = createCertificateAndKeyCache(absent)
  for (const _time of [1, 2])
    expect([await trust.key('shop', 'k'), await trust.certificate(fingerprint)]).toEqual([undefined, undefined])
  expect(asked).toBe(2)
  Object.assign(absent, { signingKey: store.signingKey, certificate: store.certificate })
  trust.invalidate()
  expect(await trust.key('shop', 'k')).toBeDefined()
  expect(await trust.certificate(fingerprint)).toBeDefined()
})

test('8, D-115: the cache of unknown certificates is bounded', async () => {
  const { store } = slowStore()
  let asked = 0
  const counting = async () => {
    asked += 1
    return undefined
  }
  const trust = createCertificateAndKeyCache({ ...store, certificate: counting } as Store)
  for (let stranger = 0; stranger <= 1_000; stranger += 1) await trust.certificate(`stranger-${stranger}`)
  await trust.certificate('stranger-0')
  expect(asked).toBe(1_002)
})
