import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPair, requestFor, selfSigned } from '../support/identities.ts'
import { askControl, expectSentence } from './ask-control.ts'
import { createChance } from './mutate.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { block, bytesIn, spoilt } from './spoil-pem.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const post = (path: string, body: object | string) => askControl(sandbox.pagesPort, 'POST', path, body)

const openssl = (...argv: string[]): string =>
  execFileSync('openssl', argv, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()

describe('5.1: certificates that do not come to be', () => {
  let [csr, certificate] = ['', '']
  beforeAll(async () => {
    csr = await requestFor(newPair().privateKey)
    certificate = (await selfSigned()).certificate
  })
  const names = spoilt('-----BEGIN X-----\nAAAA\n-----END X-----\n', 'X').map(([what]) => what)

  test.each(names)('a request or certificate with %s', async what => {
    const pick = (pem: string, label: string) => spoilt(pem, label).find(([name]) => name === what)?.[1]
    expectSentence(await post('certificates', { csr: pick(csr, 'CERTIFICATE REQUEST') }))
    expectSentence(await post('certificates', { certificate: pick(certificate, 'CERTIFICATE') }))
  })

  test('one in place of the other, both, none, and members that are no texts', async () => {
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
      { csr, days: '1' },
      '{"csr":',
      '[]',
    ])
      expectSentence(await post('certificates', body))
  })

  test.each(['rsa:1024', 'ed25519', 'ec:secp256k1', 'rsa-pss:2048'])(
    'a request and a certificate with a key of %s',
    async kind => {
      const [type = '', size = ''] = kind.split(':')
      const choice =
        type === 'ec' ? ['-pkeyopt', `ec_paramgen_curve:${size}`] : size ? ['-pkeyopt', `rsa_keygen_bits:${size}`] : []
      const make = (...more: string[]) =>
        openssl('req', '-new', '-newkey', type, ...choice, '-nodes', '-subj', '/CN=x', '-keyout', '/dev/null', ...more)
      expect(expectSentence(await post('certificates', { csr: make() }))).toMatch(/RSA of 2048 bits/)
      expect(expectSentence(await post('certificates', { certificate: make('-x509') }))).toMatch(/RSA of 2048 bits/)
    },
  )

  test('a request that somebody else has signed', async () => {
    const [mine, theirs] = [bytesIn(csr), bytesIn(await requestFor(newPair().privateKey))]
    const swapped = Buffer.from(mine.toString('hex').replace(keyIn(mine), keyIn(theirs)), 'hex')
    expect(swapped.equals(mine)).toBe(false)
    expect(expectSentence(await post('certificates', { csr: block('CERTIFICATE REQUEST', swapped) }))).toMatch(
      /does not verify/,
    )
  })

  test('anything with some octets changed: a sentence, or what was asked for, and never a fault', async () => {
    const chance = createChance(20261121)
    const seen = new Map<number, number>()
    for (let round = 0; round < 250; round += 1) {
      const [member, pem, label] = chance.pick([
        ['csr', csr, 'CERTIFICATE REQUEST'],
        ['certificate', certificate, 'CERTIFICATE'],
      ] as const)
      const bytes = bytesIn(pem)
      for (let times = chance.below(3); times >= 0; times -= 1) bytes[chance.below(bytes.length)] = chance.below(256)
      const answer = await post('certificates', { [member]: block(label, bytes) })
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      if (answer.status !== 201) expectSentence(answer, answer.status === 409 ? 409 : 400)
    }
    expect(seen.get(400)).toBeGreaterThan(100)
    expect((await askControl(sandbox.pagesPort, 'GET', 'certificates')).status).toBe(200)
  })

  test('one whose dates are no dates', async () => {
    const bytes = bytesIn(certificate)
    const date = bytes.indexOf(Buffer.from('170d', 'hex')) + 2 // the first UTCTime of 13 octets
    bytes.set(Buffer.from('2\xfc', 'latin1'), date)
    expect(expectSentence(await post('certificates', { certificate: block('CERTIFICATE', bytes) }))).toMatch(
      /X\.509|date/,
    )
  })

  test('a subject of a thousand names, and one of control characters, make no trouble', async () => {
    const { privateKey } = newPair()
    const many = Array.from({ length: 1_000 }, (_, n) => `OU=unit ${n}`).join(',')
    for (const subject of [many, 'CN=\u0000\u0007\u202e', 'CN=<script>alert(1)</script>']) {
      const answer = await post('certificates', { csr: await requestFor(privateKey, subject) })
      expect(answer.status).toBe(201)
      expect((answer.json() as { subject: string }).subject).toBe('CN=demo-merchant, O=demo-merchant')
    }
  })

  test('what is larger than control reads', async () => {
    expect((await post('certificates', { csr: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await post('signing-keys', { publicKey: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

/** The point of the P-256 key in a request, hexadecimal. */
const keyIn = (request: Buffer): string => /03420004([0-9a-f]{128})/.exec(request.toString('hex'))?.[1] ?? ''

test.each(['AA:BB', 'nothing', '%00', '%zz', '__proto__'])(
  'there is no certificate %s to revoke',
  async fingerprint => {
    expectSentence(await askControl(sandbox.pagesPort, 'DELETE', `certificates/${fingerprint}`), 404)
  },
)
