import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createCertificateRequest,
  createSelfSignedIdentity,
  newKeyPair,
} from '../support/generate-keys-and-certificates.ts'
import { malformedPems, pemBlock, pemBytes } from '../support/malformed-pem.ts'
import { expectErrorSentence, sendRawControlCall } from '../support/raw-control-call.ts'
import { openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'
import { seededRandom } from '../support/seeded-random.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const post = (path: string, body: object | string) => sendRawControlCall(sandbox.pagesPort, 'POST', path, body)

const openssl = (...argv: string[]): string =>
  execFileSync('openssl', argv, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()

describe('5.1: invalid certificates and certificate requests are refused', () => {
  let [csr, certificate] = ['', '']
  beforeAll(async () => {
    csr = await createCertificateRequest(newKeyPair().privateKey)
    certificate = (await createSelfSignedIdentity()).certificate
  })
  const names = malformedPems('-----BEGIN X-----\nAAAA\n-----END X-----\n', 'X').map(([what]) => what)

  test.each(names)('a request or certificate with %s', async what => {
    const pick = (pem: string, label: string) => malformedPems(pem, label).find(([name]) => name === what)?.[1]
    expectErrorSentence(await post('certificates', { csr: pick(csr, 'CERTIFICATE REQUEST') }))
    expectErrorSentence(await post('certificates', { certificate: pick(certificate, 'CERTIFICATE') }))
  })

  test('one in place of the other, both, none, and members that are not strings', async () => {
    for (const body of [
      { csr: certificate },
      { certificate: csr },
      { csr, certificate },
      { certificate, validTo: new Date().toISOString() },
      { validTo: new Date().toISOString() },
      {},
      { csr: 1 },
      { certificate: {} },
      { csr, validTo: 1 },
      { csr, validTo: `${new Date().getFullYear()}-02-30T00:00:00Z` },
      { csr, days: '1' },
      '{"csr":',
      '[]',
    ])
      expectErrorSentence(await post('certificates', body))
  })

  test.each(['rsa:1024', 'ed25519', 'ec:secp256k1', 'rsa-pss:2048'])(
    'a request and a certificate with a key of %s',
    async kind => {
      const [type = '', size = ''] = kind.split(':')
      const choice =
        type === 'ec' ? ['-pkeyopt', `ec_paramgen_curve:${size}`] : size ? ['-pkeyopt', `rsa_keygen_bits:${size}`] : []
      const make = (...more: string[]) =>
        openssl('req', '-new', '-newkey', type, ...choice, '-nodes', '-subj', '/CN=x', '-keyout', '/dev/null', ...more)
      expect(expectErrorSentence(await post('certificates', { csr: make() }))).toMatch(/RSA of 2048 bits/)
      expect(expectErrorSentence(await post('certificates', { certificate: make('-x509') }))).toMatch(
        /RSA of 2048 bits/,
      )
    },
  )

  test('a request with the signature of another key', async () => {
    const [mine, theirs] = [pemBytes(csr), pemBytes(await createCertificateRequest(newKeyPair().privateKey))]
    const swapped = Buffer.from(mine.toString('hex').replace(keyIn(mine), keyIn(theirs)), 'hex')
    expect(swapped.equals(mine)).toBe(false)
    expect(expectErrorSentence(await post('certificates', { csr: pemBlock('CERTIFICATE REQUEST', swapped) }))).toMatch(
      /does not verify/,
    )
  })

  test('requests and certificates with random bytes changed never cause an unexpected error', async () => {
    const chance = seededRandom(20261121)
    const seen = new Map<number, number>()
    for (let round = 0; round < 250; round += 1) {
      const [member, pem, label] = chance.pick([
        ['csr', csr, 'CERTIFICATE REQUEST'],
        ['certificate', certificate, 'CERTIFICATE'],
      ] as const)
      const bytes = pemBytes(pem)
      for (let times = chance.below(3); times >= 0; times -= 1) bytes[chance.below(bytes.length)] = chance.below(256)
      const answer = await post('certificates', { [member]: pemBlock(label, bytes) })
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      if (answer.status !== 201) expectErrorSentence(answer, answer.status === 409 ? 409 : 400)
    }
    expect(seen.get(400)).toBeGreaterThan(100)
    expect((await sendRawControlCall(sandbox.pagesPort, 'GET', 'certificates')).status).toBe(200)
  })

  test('a certificate with invalid dates', async () => {
    const bytes = pemBytes(certificate)
    const date = bytes.indexOf(Buffer.from('170d', 'hex')) + 2 // the first UTCTime of 13 octets
    bytes.set(Buffer.from('2\xfc', 'latin1'), date)
    expect(expectErrorSentence(await post('certificates', { certificate: pemBlock('CERTIFICATE', bytes) }))).toMatch(
      /X\.509|date/,
    )
  })

  test('the subject of a request is ignored, also with a thousand names or control characters', async () => {
    const { privateKey } = newKeyPair()
    const many = Array.from({ length: 1_000 }, (_, n) => `OU=unit ${n}`).join(',')
    for (const subject of [many, 'CN=\u0000\u0007\u202e', 'CN=<script>alert(1)</script>']) {
      const answer = await post('certificates', { csr: await createCertificateRequest(privateKey, subject) })
      expect(answer.status).toBe(201)
      expect((answer.json() as { subject: string }).subject).toBe('CN=demo-merchant, O=demo-merchant')
    }
  })

  test('a body above the limit', async () => {
    expect((await post('certificates', { csr: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await post('signing-keys', { publicKey: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

/** Point of the P-256 key in a certificate request, in hexadecimal. */
const keyIn = (request: Buffer): string => /03420004([0-9a-f]{128})/.exec(request.toString('hex'))?.[1] ?? ''

test.each(['AA:BB', 'nothing', '%00', '%zz', '__proto__'])(
  'revoking the unknown certificate %s is 404',
  async fingerprint => {
    expectErrorSentence(await sendRawControlCall(sandbox.pagesPort, 'DELETE', `certificates/${fingerprint}`), 404)
  },
)
