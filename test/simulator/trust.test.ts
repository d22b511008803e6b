import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { REAL_TIME } from '../../simulator/clock.ts'
import { createTrust } from '../../simulator/http/trust.ts'
import type { Store } from '../../simulator/store/port.ts'
import { newPair, selfSigned } from '../support/identities.ts'

const { certificate: pem } = await selfSigned()
const { fingerprint256: fingerprint } = new X509Certificate(pem)
const { pem: publicKey } = newPair()

/** A store with one key and one certificate; each look-up waits until it is let go, with what stood there when it began. */
const slowStore = () => {
  const counts = { keys: 0, certificates: 0 }
  const state: { ended?: number } = {}
  let gate = Promise.resolve()
  const store = {
    organization: async (organizationId: string) => ({ organizationId, accountIds: [], clock: REAL_TIME, kit: '' }),
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

test('5.1, 5.2: key and certificate are looked up once, until they are to be forgotten', async () => {
  const { store, counts, state } = slowStore()
  const trust = createTrust(store)
  for (const _time of [1, 2]) {
    expect((await trust.key('shop', 'k'))?.isDeregistered).toBe(false)
    expect((await trust.certificate(fingerprint))?.isRevoked).toBe(false)
  }
  expect(counts).toEqual({ keys: 1, certificates: 1 })
  state.ended = 5
  expect((await trust.key('shop', 'k'))?.isDeregistered).toBe(false)
  trust.forget()
  expect((await trust.key('shop', 'k'))?.isDeregistered).toBe(true)
  expect((await trust.certificate(fingerprint))?.isRevoked).toBe(true)
  expect(counts).toEqual({ keys: 2, certificates: 2 })
})

test('5.1, 5.2: what a look-up found that was under way at the change is not remembered', async () => {
  const { store, state, hold } = slowStore()
  const trust = createTrust(store)
  const letGo = hold()
  const early = [trust.key('shop', 'k'), trust.certificate(fingerprint)]
  state.ended = 5
  trust.forget()
  letGo()
  await Promise.all(early)
  expect((await trust.key('shop', 'k'))?.isDeregistered).toBe(true)
  expect((await trust.certificate(fingerprint))?.isRevoked).toBe(true)
})

test('5.1, 5.2: what is forgotten of one organization is remembered of the others', async () => {
  const { store, counts } = slowStore()
  const trust = createTrust(store)
  const look = async () => {
    for (const organizationId of ['shop', 'other']) await trust.key(organizationId, 'k')
    await trust.certificate(fingerprint) // of the shop
    return { ...counts }
  }
  expect(await look()).toEqual({ keys: 2, certificates: 1 })
  trust.forget('other')
  expect(await look()).toEqual({ keys: 3, certificates: 1 })
  for (const _time of [1, 2]) trust.forget('shop')
  expect(await look()).toEqual({ keys: 4, certificates: 2 })
  trust.forget()
  expect(await look()).toEqual({ keys: 6, certificates: 3 })
})

test('5.2: a key belongs to its organization: the same id of another is another look-up', async () => {
  const { store, counts } = slowStore()
  const trust = createTrust(store)
  await trust.key('shop', 'k')
  await trust.key('other', 'k')
  expect(counts.keys).toBe(2)
})

test('8, D-115: a stranger who comes again costs no look-up, until there is news', async () => {
  const { store } = slowStore()
  let asked = 0
  const nothing = async () => {
    asked += 1
    return undefined
  }
  const absent: Store = { ...store, signingKey: nothing, certificate: nothing }
  const trust = createTrust(absent)
  for (const _time of [1, 2])
    expect([await trust.key('shop', 'k'), await trust.certificate(fingerprint)]).toEqual([undefined, undefined])
  expect(asked).toBe(2)
  Object.assign(absent, { signingKey: store.signingKey, certificate: store.certificate })
  trust.forget()
  expect(await trust.key('shop', 'k')).toBeDefined()
  expect(await trust.certificate(fingerprint)).toBeDefined()
})

test('8, D-115: of strangers without end no more than so many are remembered', async () => {
  const { store } = slowStore()
  let asked = 0
  const counting = async () => {
    asked += 1
    return undefined
  }
  const trust = createTrust({ ...store, certificate: counting } as Store)
  for (let stranger = 0; stranger <= 1_000; stranger += 1) await trust.certificate(`stranger-${stranger}`)
  await trust.certificate('stranger-0')
  expect(asked).toBe(1_002)
})
