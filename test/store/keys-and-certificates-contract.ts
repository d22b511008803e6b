import { describe, expect, test } from 'vitest'
import { type OpenStore, openTwoOrganizations } from './open-two-organizations.ts'
import { certificate, organization, signingKey } from './sample-records.ts'

/** Defines the contract tests of every store on client certificates (5.1) and signing keys (5.2). */
export const keysAndCertificatesContract = (name: string, openStore: OpenStore): void => {
  const begin = () => openTwoOrganizations(openStore)

  describe(`${name}: keys and certificates`, () => {
    test('are listed by organization in the order of registration', async () => {
      const { store } = await begin()
      for (const keyId of ['k2', 'k1'])
        expect(await store.addSigningKey(signingKey({ keyId, publicKey: `for ${keyId}` }))).toBe('saved')
      expect(await store.addCertificate(certificate({ fingerprint: 'AB', publicKey: 'x' }))).toBe('saved')
      expect((await store.signingKeys('shop')).map(({ keyId }) => keyId)).toEqual(['shop-key', 'k2', 'k1'])
      expect((await store.certificates('shop')).map(({ fingerprint }) => fingerprint)).toEqual(['shop:AA', 'AB'])
      expect(await store.signingKeys('other')).toEqual(organization('other').signingKeys)
      expect(await store.certificates('other')).toEqual(organization('other').certificates)
      expect(await store.certificates('nobody')).toEqual([])
    })

    test('5.2: a key is deregistered once, and can be registered again with new times', async () => {
      const { store } = await begin()
      const ended = { ...signingKey({ keyId: 'shop-key' }), deregisteredAt: 50 }
      expect(await store.deregisterSigningKey('shop', 'shop-key', 50)).toEqual(ended)
      expect(await store.deregisterSigningKey('shop', 'shop-key', 60)).toEqual(ended)
      expect(await store.signingKey('shop', 'shop-key')).toEqual(ended)
      const anew = signingKey({ keyId: 'shop-key', registeredAt: 70, expiresAt: 170 })
      expect(await store.addSigningKey(anew)).toBe('saved')
      expect(await store.signingKeys('shop')).toEqual([anew])
    })

    test('registering a known key again changes nothing', async () => {
      const { store } = await begin()
      expect(await store.addSigningKey(signingKey({ keyId: 'shop-key', expiresAt: 999 }))).toBe('known')
      expect(await store.signingKeys('shop')).toEqual(organization('shop').signingKeys)
    })

    test('5.1: a certificate is revoked once; neither it nor that of another organization can be registered', async () => {
      const { store } = await begin()
      const revoked = { ...organization('shop').certificates[0], revokedAt: 50 }
      expect(await store.revokeCertificate('shop', 'shop:AA', 50)).toEqual(revoked)
      expect(await store.revokeCertificate('shop', 'shop:AA', 60)).toEqual(revoked)
      for (const fingerprint of ['shop:AA', 'other:AA'])
        expect(await store.addCertificate(certificate({ fingerprint, publicKey: 'new' }))).toBe('known')
      expect(await store.certificates('shop')).toEqual([revoked])
      expect((await store.certificate('other:AA'))?.organizationId).toBe('other')
    })

    test('keys and certificates of another organization, and unknown ones, cannot be revoked', async () => {
      const { store } = await begin()
      expect(await store.deregisterSigningKey('other', 'shop-key', 50)).toBeUndefined()
      expect(await store.revokeCertificate('other', 'shop:AA', 50)).toBeUndefined()
      expect(await store.deregisterSigningKey('shop', 'no-key', 50)).toBeUndefined()
      expect(await store.signingKeys('shop')).toEqual(organization('shop').signingKeys)
      expect(await store.certificates('shop')).toEqual(organization('shop').certificates)
    })

    test('5.1: one key never has both purposes, also when revoked or deregistered', async () => {
      const { store } = await begin()
      const [signs, certifies] = ['key that signs', 'key of a certificate']
      const signing = signingKey({ keyId: 'k', publicKey: certifies })
      const certified = certificate({ fingerprint: 'AB', publicKey: signs })
      expect(await store.addSigningKey(signing)).toBe('other-purpose')
      expect(await store.addCertificate(certified)).toBe('other-purpose')
      await store.revokeCertificate('shop', 'shop:AA', 50)
      await store.deregisterSigningKey('shop', 'shop-key', 50)
      expect(await store.addSigningKey(signing)).toBe('other-purpose')
      expect(await store.addCertificate(certified)).toBe('other-purpose')
      expect(await store.signingKey('shop', 'k')).toBeUndefined()
      expect(await store.certificate('AB')).toBeUndefined()
    })

    test('5.1: of 200 certificates a revoked one gives way to a new one; without any, there is no room', async () => {
      const { store } = await begin()
      const add = (nth: number) => store.addCertificate(certificate({ fingerprint: `F${nth}`, publicKey: `P${nth}` }))
      const added = await addAll(210, add)
      expect(added.filter(result => result === 'saved')).toHaveLength(199)
      expect(new Set(added)).toEqual(new Set(['saved', 'full']))
      const [first, second] = (await store.certificates('shop')).slice(1)
      for (const one of [second, first]) await store.revokeCertificate('shop', one?.fingerprint ?? '', 50)
      expect([await add(300), await add(301), await add(302)]).toEqual(['saved', 'saved', 'full'])
      expect(await store.certificate(first?.fingerprint ?? '')).toBeUndefined()
      expect((await store.certificates('shop')).length).toBe(200)
      const other = { fingerprint: 'O', organizationId: 'other', publicKey: 'O' }
      expect(await store.addCertificate(certificate(other))).toBe('saved')
    })

    test('5.2: of 200 signing keys one that ended gives way to a new one; without any, there is no room', async () => {
      const { store } = await begin()
      const add = (nth: number, registeredAt = 7) =>
        store.addSigningKey(signingKey({ keyId: `k${nth}`, publicKey: `P${nth}`, registeredAt, expiresAt: 100 }))
      const added = await addAll(210, add)
      expect(added.filter(result => result === 'saved')).toHaveLength(199)
      expect([await add(300, 76), await add(300, 77), await add(301, 77)]).toEqual(['full', 'saved', 'full'])
      expect(await store.signingKey('shop', 'shop-key')).toBeUndefined()
      const kept = (await store.signingKeys('shop'))[5]?.keyId ?? ''
      await store.deregisterSigningKey('shop', kept, 50)
      expect(await add(Number(kept.slice(1)))).toBe('saved')
      expect(await add(302)).toBe('full')
      await store.deregisterSigningKey('shop', kept, 50)
      expect([await add(302), await store.signingKey('shop', kept)]).toEqual(['saved', undefined])
      expect((await store.signingKeys('shop')).length).toBe(200)
    })

    test('5.1: concurrent registrations of one key for both purposes save one purpose only', async () => {
      const { store } = await begin()
      const attempts = Array.from({ length: 30 }, (_, n) =>
        n % 2
          ? store.addCertificate(certificate({ fingerprint: `F${n}`, publicKey: 'fought for' }))
          : store.addSigningKey(signingKey({ keyId: 'k', publicKey: 'fought for' })),
      )
      expect(await Promise.all(attempts)).toContain('saved')
      const keys = (await store.signingKeys('shop')).filter(({ publicKey }) => publicKey === 'fought for')
      const certificates = (await store.certificates('shop')).filter(({ publicKey }) => publicKey === 'fought for')
      expect([keys.length > 0, certificates.length > 0].filter(Boolean)).toHaveLength(1)
    })

    test('5.2: changing the validity of a key affects no other key or organization', async () => {
      const { store } = await begin()
      await store.addSigningKey(signingKey({ keyId: 'k', publicKey: 'new' }))
      const [before] = await store.signingKeys('shop')
      await store.setSigningKeyValidity('another', 'k', { registeredAt: 0, expiresAt: 1 })
      await store.setSigningKeyValidity('shop', 'k', { registeredAt: 7, expiresAt: 77 })
      const ends = (await store.signingKeys('shop')).map(({ keyId, expiresAt }) => [keyId, expiresAt])
      expect(ends).toEqual([
        ['shop-key', before?.expiresAt],
        ['k', 77],
      ])
    })

    test('registrations, deregistrations and revocations survive reopening the store', async () => {
      const { store, reopen } = await begin()
      await store.addSigningKey(signingKey({ keyId: 'k', publicKey: 'new' }))
      await store.deregisterSigningKey('shop', 'shop-key', 50)
      await store.revokeCertificate('shop', 'shop:AA', 50)
      const again = await reopen()
      expect((await again.signingKeys('shop')).map(key => key.deregisteredAt)).toEqual([50, undefined])
      expect((await again.certificate('shop:AA'))?.revokedAt).toBe(50)
    })
  })
}

/** Adds thirty at once: more would wait longer for a connection on a busy machine than a call may. */
const addAll = async (count: number, add: (nth: number) => Promise<string>): Promise<string[]> => {
  const added: string[] = []
  for (let from = 0; from < count; from += 30)
    added.push(...(await Promise.all(Array.from({ length: Math.min(30, count - from) }, (_, nth) => add(from + nth)))))
  return added
}
