import { expect, test } from 'vitest'
import { createClientCertificateRegistry } from '../../simulator/installation/client-certificate-registry.ts'
import { createSigningKeyRegistry } from '../../simulator/installation/signing-key-registry.ts'
import { createSigningKeyRotation } from '../../simulator/organizations/forced-merchant-signing-key-rotation.ts'
import { createOrganizationRegistry } from '../../simulator/organizations/organization-registry.ts'
import { LIFETIMES } from '../../simulator/support/lifetimes.ts'
import { certificate, signingKey } from '../store/sample-records.ts'
import {
  createCertificateRequest,
  createSelfSignedIdentity,
  newKeyPair,
} from '../support/generate-keys-and-certificates.ts'
import { openCore, SHOP } from '../support/simulator-core.ts'

/** Opens the registries of a core whose organization has 200 certificates and 200 signing keys. */
const begin = async () => {
  const core = await openCore()
  const { store } = core
  const endingAfter = (milliseconds: number) =>
    createSelfSignedIdentity(undefined, {
      notBefore: new Date(core.time.now - 60_000),
      notAfter: new Date(core.time.now + milliseconds),
    })
  const [own, valid, expired] = await Promise.all([endingAfter(60_000), endingAfter(60_000), endingAfter(-10_000)])
  let signed = 0
  const issue = async () => {
    signed += 1
    return (await createSelfSignedIdentity()).certificate
  }
  const issueClient = async () => ({ certificate: await issue(), privateKey: 'PEM' })
  const installation = { authority: async () => ({ issueClient, certify: issue }) } as never
  const parts = { ...core, installation, journal: { clear: () => undefined }, onChange: () => undefined }
  await store.setKit(SHOP, JSON.stringify({ organizationId: SHOP, signingKeys: [] }))
  const all = Array.from({ length: 200 }, (_, nth) => ({
    fingerprint: `F${nth}`,
    keyId: `k${nth}`,
    publicKey: `${nth}`,
  }))
  await Promise.all(
    all.map(one =>
      store.addCertificate(certificate({ ...one, publicKey: `C${one.publicKey}`, pem: valid.certificate })),
    ),
  )
  await Promise.all(
    all.map(one =>
      store.addSigningKey(
        signingKey({ ...one, registeredAt: core.time.now, expiresAt: core.time.now + LIFETIMES.signingKey }),
      ),
    ),
  )
  const organizations = createOrganizationRegistry(parts)
  return {
    ...core,
    own,
    expired,
    signed: () => signed,
    certificates: createClientCertificateRegistry(parts),
    signingKeys: createSigningKeyRegistry(parts),
    organizations,
    rotation: createSigningKeyRotation({ ...parts, organizations }),
  }
}

const NO_ROOM = /^There are 200 client certificates: revoke one/

test('5.1: a certificate beyond 200 is refused with the cure, also that of a new kit, until one is revoked', async () => {
  const { store, own, certificates, organizations } = await begin()
  await expect(certificates.register(SHOP, own.certificate)).rejects.toThrow(NO_ROOM)
  await expect(organizations.renew(SHOP)).rejects.toThrow(NO_ROOM)
  expect(JSON.parse((await store.organization(SHOP))?.kit ?? '').certificate).toBeUndefined()
  await store.revokeCertificate(SHOP, 'F0', 1)
  await organizations.renew(SHOP)
  await store.revokeCertificate(SHOP, 'F1', 1)
  await certificates.register(SHOP, own.certificate)
})

test('5.1: where there is no room nothing is issued, and of a new kit no key is registered', async () => {
  const { store, certificates, organizations, expired, signed } = await begin()
  const keys = await store.signingKeys(SHOP)
  await store.setKit(SHOP, JSON.stringify({ organizationId: SHOP, signingKeys: [{ keyId: 'gone' }] }))
  for (const nth of [0, 1, 2]) await store.deregisterSigningKey(SHOP, `k${nth}`, 1)
  const csr = await createCertificateRequest(newKeyPair().privateKey)
  await expect(certificates.issue(SHOP, csr)).rejects.toThrow(NO_ROOM)
  await expect(organizations.renew(SHOP)).rejects.toThrow(NO_ROOM)
  expect(signed()).toBe(0)
  expect((await store.signingKeys(SHOP)).map(({ keyId }) => keyId)).toEqual(keys.map(({ keyId }) => keyId))
  await store.revokeCertificate(SHOP, 'F0', 1)
  const late = { fingerprint: 'late', publicKey: 'L', pem: expired.certificate, organizationId: SHOP }
  expect(await store.addCertificate(certificate(late))).toBe('saved')
  await certificates.issue(SHOP, csr) // in place of the one that has expired
  expect(signed()).toBe(1)
})

test('5.2: a signing key beyond 200 is refused with the cure, also that of a new kit, until one is deregistered', async () => {
  const { store, signingKeys, organizations, signed } = await begin()
  const publicKey = newKeyPair().pem
  await expect(signingKeys.register(SHOP, publicKey)).rejects.toThrow(/^There are 200 signing keys: deregister one/)
  const signingKey = { keyId: 'gone', algorithm: 'ECDSA_SHA_256', privateKey: '' }
  await store.setKit(SHOP, JSON.stringify({ organizationId: SHOP, signingKeys: [signingKey] }))
  await store.revokeCertificate(SHOP, 'F0', 1)
  await expect(organizations.renew(SHOP)).rejects.toThrow(/^There are 200 signing keys/)
  expect(signed()).toBe(0)
  await signingKeys.deregister(SHOP, 'k0')
  await signingKeys.register(SHOP, publicKey)
})

test('5.2: a forced rotation for whose keys there is no room changes no key and no kit', async () => {
  const { store, rotation } = await begin()
  const seen = async () => [await store.signingKeys(SHOP), (await store.organization(SHOP))?.kit]
  const before = await seen()
  await expect(rotation.begin(SHOP, 1_000)).rejects.toThrow(/^There are 200 signing keys/)
  expect(await seen()).toEqual(before)
  for (const nth of [0, 1, 2]) await store.deregisterSigningKey(SHOP, `k${nth}`, 1)
  await rotation.begin(SHOP, 1_000)
  const isEnding = (await store.signingKeys(SHOP)).map(
    ({ registeredAt, expiresAt }) => expiresAt === registeredAt + 1_000,
  )
  expect(isEnding).toEqual([...Array(197).fill(true), ...Array(3).fill(false)])
})

test('5.1: of 200 certificates one that has expired gives way, as those of every certify run', async () => {
  const { store, own, expired, certificates } = await begin()
  await store.revokeCertificate(SHOP, 'F0', 1)
  const late = { fingerprint: 'late', publicKey: 'L', pem: expired.certificate, organizationId: SHOP }
  expect(await store.addCertificate(certificate(late))).toBe('saved')
  await certificates.register(SHOP, own.certificate)
  expect(await store.certificate('late')).toBeUndefined()
  expect(await store.certificates(SHOP)).toHaveLength(200)
})
