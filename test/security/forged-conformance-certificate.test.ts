import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK } from 'jose'
import { expect, test } from 'vitest'
import { VERDICTS, type Verdict } from '../../contracts/harness/judge/check.ts'
import {
  type ConformanceCertificate,
  signConformanceCertificate,
  verifyConformanceCertificate,
} from '../../contracts/harness/report/conformance-certificate.ts'

const pairOn = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const [ours, theirs, wide] = [pairOn('P-256'), pairOn('P-256'), pairOn('P-384')]
const pem = (key: KeyObject): string => String(key.export({ type: 'spki', format: 'pem' }))
const jwk = (key: KeyObject) => key.export({ format: 'jwk' })
const certificate: ConformanceCertificate = {
  format: 1,
  issuedAt: '2026-01-01T00:00:00Z',
  suite: { name: 'assay', version: '1', checks: 1, catalogue: `sha-256:${'0'.repeat(64)}` },
  profile: 'a shop',
  target: { baseUrl: 'https://shop.example', environment: 'sandbox' },
  tier: 0,
  only: [],
  summary: {
    registered: 1,
    chosen: 1,
    counts: Object.fromEntries(VERDICTS.map(verdict => [verdict, verdict === 'pass' ? 1 : 0])) as Record<
      Verdict,
      number
    >,
    exitCode: 0,
  },
  files: {},
  notRejudged: [],
}
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const forged = (header: object, seal: (text: string) => Buffer): string => {
  const text = `${base64url({ typ: 'assay-certificate+jws', ...header })}.${base64url(certificate)}`
  return `${text}.${seal(text).toString('base64url')}`
}
const byKey = (key: KeyObject, hash: string) => (text: string) =>
  sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
const bySecret = (secret: string | Buffer) => (text: string) => createHmac('sha256', secret).update(text).digest()
const secret = Buffer.alloc(32, 7)
const symmetric = { kty: 'oct', k: secret.toString('base64url') }

// biome-ignore format: a table reads by its columns
test.each<[string, string, string?]>([
  ['without a signature, alg none',          forged({ alg: 'none', jwk: jwk(theirs.publicKey) }, () => Buffer.alloc(0))],
  ['by HMAC with a secret that it brings',   forged({ alg: 'HS256', jwk: symmetric }, bySecret(secret))],
  ['by HMAC with our public key as secret',  forged({ alg: 'HS256' }, bySecret(pem(ours.publicKey))), pem(ours.publicKey)],
  ['by another key, with its own in jwk',    forged({ alg: 'ES256', jwk: jwk(theirs.publicKey) }, byKey(theirs.privateKey, 'sha256')), pem(ours.publicKey)],
  ['by another key, told where to find it',  forged({ alg: 'ES256', jku: 'http://127.0.0.1:9/keys' }, byKey(theirs.privateKey, 'sha256'))],
  ['by a key of another curve than its alg', forged({ alg: 'ES256', jwk: jwk(wide.publicKey) }, byKey(wide.privateKey, 'sha256'))],
  ['by our key with the hash of another',    forged({ alg: 'ES384' }, byKey(ours.privateKey, 'sha384')), pem(ours.publicKey)],
  ['that brings a private key',              forged({ alg: 'ES256', jwk: jwk(theirs.privateKey) }, byKey(theirs.privateKey, 'sha256'))],
])('RFC 8725 3.1, 3.2: a certificate of conformance %s is rejected', async (_case, jws, key) => {
  await expect(verifyConformanceCertificate(jws, key)).rejects.toThrow(/^(?!This is signed).*\.$/)
})

test('the signer is identified by the key that verified, not by kid', async () => {
  const ourId = await calculateJwkThumbprint(await exportJWK(ours.publicKey))
  expect(
    await verifyConformanceCertificate(await signConformanceCertificate(certificate, ours.privateKey)),
  ).toMatchObject({ keyId: ourId })
  const header = { alg: 'ES256', kid: ourId, jwk: jwk(theirs.publicKey) }
  const { keyId, ownKey } = await verifyConformanceCertificate(forged(header, byKey(theirs.privateKey, 'sha256')))
  expect({ keyId, ownKey }).toEqual({
    keyId: await calculateJwkThumbprint(await exportJWK(theirs.publicKey)),
    ownKey: true,
  })
})
