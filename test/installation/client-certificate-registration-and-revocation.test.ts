import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Identity } from '../../contracts/client/credentials.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { organizationControl } from '../support/control-client.ts'
import {
  createCertificateRequest,
  createSelfSignedIdentity,
  newKeyPair,
  parsePrivateKey,
  toIdentity,
} from '../support/generate-keys-and-certificates.ts'
import {
  createSecondMerchant,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

/** Creates a caller that returns status, code and message of a call with a certificate; connections stay open. */
const caller = (simulator: ScopedSimulator) => {
  const merchant = merchantOf(simulator)
  return async (identity?: Identity) => {
    const form = merchant.tokenForm('payments:read')
    const { response } = await merchant.request('token', { form }, identity ? { connection: { identity } } : {})
    const { statusInfo } = JSON.parse(response?.body.toString() ?? '{}')
    return [response?.status, statusInfo?.reasonCode, statusInfo?.message]
  }
}

const SERVED = [200, undefined, undefined]
const refusedWith = (message: RegExp) => [400, '4980', expect.stringMatching(message)]

const issued = async (simulator: ScopedSimulator, more: object = {}) => {
  const { privateKey } = newKeyPair()
  const { status, body } = await organizationControl(simulator).post('certificates', {
    csr: await createCertificateRequest(privateKey),
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return { told: body, identity: toIdentity(body.certificate, privateKey) }
}

describe('5.1: certificates over control', () => {
  test('the certificate of the kit is listed', async () => {
    const simulator = await startScopedSimulator()
    const { status, body } = await organizationControl(simulator).get('certificates')
    const kit = new X509Certificate(simulator.kit.certificate)
    expect(status).toBe(200)
    expect(body.certificates).toEqual([
      {
        fingerprint: kit.fingerprint256,
        subject: 'CN=demo-merchant, O=demo-merchant',
        serial: kit.serialNumber,
        validFrom: kit.validFromDate.toISOString(),
        validTo: kit.validToDate.toISOString(),
        state: 'valid',
      },
    ])
  })

  test.each(['ECDSA_SHA_256', 'ECDSA_SHA_384', 'ECDSA_SHA_512'] as const)(
    'the authority issues one for a request with an %s key, with the organization as subject',
    async algorithm => {
      const simulator = await startScopedSimulator()
      const { privateKey } = newKeyPair(algorithm)
      const csr = await createCertificateRequest(privateKey, 'CN=other-merchant,O=Somebody')
      const { status, body } = await organizationControl(simulator).post('certificates', { csr })
      expect([status, body.subject, body.state]).toEqual([201, 'CN=demo-merchant, O=demo-merchant', 'valid'])
      const [certificate, ca] = [new X509Certificate(body.certificate), new X509Certificate(body.ca)]
      expect(certificate.checkIssued(ca) && certificate.verify(ca.publicKey)).toBe(true)
      expect(certificate.checkPrivateKey(privateKey)).toBe(true)
      expect([certificate.ca, body.ca, body.fingerprint]).toEqual([false, simulator.kit.ca, certificate.fingerprint256])
      const call = caller(simulator)
      expect(await call(toIdentity(body.certificate, privateKey))).toEqual(SERVED)
      expect(await call()).toEqual(SERVED)
    },
  )

  test('a self-signed one is refused until it is registered, then served on the same connection', async () => {
    const simulator = await startScopedSimulator()
    const call = caller(simulator)
    const identity = await createSelfSignedIdentity()
    expect(await call(identity)).toEqual(refusedWith(/is not trusted/))
    const { status, body } = await organizationControl(simulator).post('certificates', {
      certificate: identity.certificate,
    })
    expect([status, body.subject, body.state]).toEqual([201, 'CN=self-made, O=Shop', 'valid'])
    expect(await call(identity)).toEqual(SERVED)
    expect((await organizationControl(simulator).get('certificates')).body.certificates).toHaveLength(2)
  })

  test('a revoked one is refused at once on open and new connections; others stay valid', async () => {
    const simulator = await startScopedSimulator()
    const { told, identity } = await issued(simulator)
    const [open, fresh] = [caller(simulator), caller(simulator)]
    expect(await open(identity)).toEqual(SERVED)
    const revoked = await organizationControl(simulator).delete(`certificates/${told.fingerprint}`)
    expect([revoked.status, revoked.body.state]).toEqual([200, 'revoked'])
    expect(await open(identity)).toEqual(refusedWith(/was revoked: issue a new one/))
    expect(await fresh(identity)).toEqual(refusedWith(/was revoked/))
    expect(await open()).toEqual(SERVED)
    const again = await organizationControl(simulator).post('certificates', { certificate: told.certificate })
    expect(again.status).toBe(409)
    expect(await fresh(identity)).toEqual(refusedWith(/was revoked/))
  })

  test('a revoked one stays revoked after a restart', async () => {
    const first = await startScopedSimulator()
    const { told, identity } = await issued(first)
    await organizationControl(first).delete(`certificates/${told.fingerprint}`)
    await first.stop()
    const again = await startScopedSimulator({ dataDir: first.dataDir })
    expect(await caller(again)(identity)).toEqual(refusedWith(/was revoked/))
  })

  test('a fingerprint may be written without colons and in lower case', async () => {
    const simulator = await startScopedSimulator()
    const { told } = await issued(simulator)
    const short = told.fingerprint.replaceAll(':', '').toLowerCase()
    expect((await organizationControl(simulator).delete(`certificates/${short}`)).body.fingerprint).toBe(
      told.fingerprint,
    )
  })

  test('an organization can neither revoke nor register the certificate of another', async () => {
    const simulator = await startScopedSimulator()
    await createSecondMerchant(simulator)
    const other = organizationControl(simulator, 'other-merchant')
    const { fingerprint256 } = new X509Certificate(simulator.kit.certificate)
    expect((await other.delete(`certificates/${fingerprint256}`)).status).toBe(404)
    expect((await other.post('certificates', { certificate: simulator.kit.certificate })).status).toBe(409)
    expect(await caller(simulator)()).toEqual(SERVED)
  })
})

describe('5.5, 7.3: certificates expire by real time', () => {
  test('one issued with an end in the past is refused as expired', async () => {
    const simulator = await startScopedSimulator()
    const { told, identity } = await issued(simulator, { validTo: new Date(Date.now() - 1000).toISOString() })
    expect(told.state).toBe('expired')
    expect(await caller(simulator)(identity)).toEqual(refusedWith(/has expired: issue a new one/))
  })

  test('one that expires on an open connection is served up to its last second', async () => {
    const time = { now: Date.now() }
    const simulator = await startScopedSimulator(
      { signatureAge: 10 * 86_400_000 },
      { clock: createClock(() => time.now) },
    )
    const validTo = new Date(time.now + 86_400_000).toISOString()
    const { told, identity } = await issued(simulator, { validTo })
    const call = caller(simulator)
    time.now = Date.parse(told.validTo)
    expect(await call(identity)).toEqual(SERVED)
    time.now += 1
    expect(await call(identity)).toEqual(refusedWith(/has expired/))
    expect((await organizationControl(simulator).get('certificates')).body.certificates[1].state).toBe('expired')
  })

  test('the organization’s clock does not matter', async () => {
    const simulator = await startScopedSimulator()
    await organizationControl(simulator).advance('P400D')
    const { response } = await merchantOf(simulator).request('token', { form: {} })
    expect(response?.body.toString()).not.toContain('4980')
  })

  test.each([
    ['has expired', { notAfter: new Date(Date.now() - 1000) }],
    [
      'begins tomorrow',
      { notBefore: new Date(Date.now() + 86_400_000), notAfter: new Date(Date.now() + 2 * 86_400_000) },
    ],
  ])('one of another authority that %s is not registered', async (_what, life) => {
    const simulator = await startScopedSimulator()
    const { certificate } = await createSelfSignedIdentity(newKeyPair().privateKey, life)
    const { status, body } = await organizationControl(simulator).post('certificates', { certificate })
    expect([status, body.error]).toEqual([400, 'certificate is not valid now: check its dates.'])
  })

  test.each(['tomorrow', '2026-11-21', '9999-01-01T00:00:00Z', '1999-01-01T00:00:00Z', ''])(
    'validTo: %j is refused',
    async validTo => {
      const simulator = await startScopedSimulator()
      const csr = await createCertificateRequest(newKeyPair().privateKey)
      expect((await organizationControl(simulator).post('certificates', { csr, validTo })).status).toBe(400)
    },
  )
})

describe('5.1: a key is used either for a certificate or for signing', () => {
  test('the key of a certificate, revoked or not, cannot be registered for signing', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    const { told, identity } = await issued(simulator)
    await control.delete(`certificates/${told.fingerprint}`)
    for (const pem of [simulator.kit.certificate, identity.certificate]) {
      const publicKey = new X509Certificate(pem).publicKey
      for (const given of [publicKey.export({ type: 'spki', format: 'pem' }), publicKey.export({ format: 'jwk' })]) {
        const { status, body } = await control.post('signing-keys', { publicKey: given })
        expect([status, body.error]).toEqual([409, expect.stringMatching(/key of one of your client certificates/)])
      }
    }
    expect((await control.get('signing-keys')).body.signingKeys).toHaveLength(3)
  })

  test('a signing key, deregistered or not, cannot have a certificate', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    const [first] = simulator.kit.signingKeys
    const privateKey = parsePrivateKey(first?.privateKey ?? '')
    for (const _state of ['active', 'deregistered']) {
      const csr = await control.post('certificates', { csr: await createCertificateRequest(privateKey) })
      const own = await control.post('certificates', {
        certificate: (await createSelfSignedIdentity(privateKey)).certificate,
      })
      for (const { status, body } of [csr, own])
        expect([status, body.error]).toEqual([409, expect.stringMatching(/key of one of your signing keys/)])
      await control.delete(`signing-keys/${first?.keyId}`)
    }
    expect((await control.get('certificates')).body.certificates).toHaveLength(1)
  })

  test('of both requests at once one is refused', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    for (let round = 0; round < 10; round += 1) {
      const pair = newKeyPair()
      const csr = await createCertificateRequest(pair.privateKey)
      const both = [control.post('certificates', { csr }), control.post('signing-keys', { publicKey: pair.pem })]
      expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409])
    }
  })
})

test('5.1: a certificate may have an RSA key of 2048 bits', async () => {
  const simulator = await startScopedSimulator()
  const { RSA_REQUEST, RSA_KEY } = await rsaRequest()
  const { status, body } = await organizationControl(simulator).post('certificates', { csr: RSA_REQUEST })
  expect(status).toBe(201)
  expect(await caller(simulator)({ certificate: body.certificate, privateKey: RSA_KEY })).toEqual(SERVED)
})

const rsaRequest = async () => {
  const { Pkcs10CertificateRequestGenerator } = await import('@peculiar/x509')
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const keys = {
    privateKey: await crypto.subtle.importKey('jwk', jwk, algorithm, true, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', { kty: 'RSA', n: jwk.n, e: jwk.e } as JsonWebKey, algorithm, true, [
      'verify',
    ]),
  }
  const request = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=x', keys, signingAlgorithm: algorithm })
  return {
    RSA_REQUEST: request.toString('pem'),
    RSA_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
