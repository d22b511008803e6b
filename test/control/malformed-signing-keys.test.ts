import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSelfSignedIdentity, newKeyPair } from '../support/generate-keys-and-certificates.ts'
import { malformedPems, pemBlock, pemBytes } from '../support/malformed-pem.ts'
import { expectErrorSentence, sendRawControlCall } from '../support/raw-control-call.ts'
import { openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const post = (path: string, body: object | string) => sendRawControlCall(sandbox.pagesPort, 'POST', path, body)

const spki = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()

/** SPKI of a P-256 public key at the point at infinity, in hexadecimal. */
const INFINITY = '3019301306072a8648ce3d020106082a8648ce3d03010703020000'

describe('5.2: invalid signing keys are refused', () => {
  const { pem, jwk } = newKeyPair()

  test.each(malformedPems(pem, 'PUBLIC KEY'))('PEM with %s', async (_what, publicKey) => {
    expectErrorSentence(await post('signing-keys', { publicKey }))
  })

  test.each([
    ['RSA', 'rsa', { modulusLength: 2048 }],
    ['RSA-PSS', 'rsa-pss', { modulusLength: 2048 }],
    ['Ed25519', 'ed25519', {}],
    ['X25519', 'x25519', {}],
    ['secp256k1', 'ec', { namedCurve: 'secp256k1' }],
    ['brainpool', 'ec', { namedCurve: 'brainpoolP256r1' }],
  ])('%s', async (_name, kind, options) => {
    const { publicKey } = generateKeyPairSync(kind as 'rsa', options as { modulusLength: number })
    expect(expectErrorSentence(await post('signing-keys', { publicKey: spki(publicKey) }))).toMatch(
      /P-256, P-384, P-521/,
    )
  })

  const { privateKey } = newKeyPair()
  const asPem = (type: 'pkcs8' | 'sec1', more: object = {}) =>
    privateKey.export({ type: type as 'pkcs8', format: 'pem', ...more }).toString()
  test.each([
    ['PKCS #8', asPem('pkcs8')],
    ['SEC 1', asPem('sec1')],
    ['encrypted', asPem('pkcs8', { cipher: 'aes-256-cbc', passphrase: 'x' })],
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' })],
    ['both halves', `${pem}${asPem('pkcs8')}`],
    ['cut short', asPem('pkcs8').slice(0, 80)],
    ['a JWK', privateKey.export({ format: 'jwk' })],
    ['the text of a JWK', JSON.stringify(privateKey.export({ format: 'jwk' }))],
    ['a symmetric JWK', { kty: 'oct', k: 'c2VjcmV0' }],
  ])('a private key (%s), with a warning never to send one', async (_form, publicKey) => {
    const sentence = expectErrorSentence(await post('signing-keys', { publicKey }))
    expect(sentence).toMatch(/^publicKey holds a private key, which must never be sent/)
    for (const path of ['csr', 'certificate'])
      if (typeof publicKey === 'string' && publicKey.startsWith('---'))
        expect(expectErrorSentence(await post('certificates', { [path]: publicKey }))).toMatch(/private key/)
  })

  test.each([
    ['a number', 1],
    ['nothing', undefined],
    ['null', null],
    ['a list', [jwk]],
    ['a set', { keys: [jwk] }],
    ['an empty JWK', {}],
    ['a text that begins as a JWK', '{"kty":"EC",'],
    ['a JWK without y', { ...jwk, y: undefined }],
    ['a JWK of another curve', { ...jwk, crv: 'P-521' }],
    ['a JWK off its curve', { ...jwk, x: jwk.y, y: jwk.x }],
    ['a JWK of numbers', { ...jwk, x: 1, y: {} }],
    ['a JWK of another kind', { kty: 'OKP', crv: 'Ed25519', x: jwk.x }],
    ['a JWK of RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })],
    ['a point off the curve', pemBlock('PUBLIC KEY', pemBytes(pem).fill(1, 60))],
    ['a point at infinity', pemBlock('PUBLIC KEY', Buffer.from(INFINITY, 'hex'))],
    ['a deep object', JSON.parse(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`)],
  ])('%s', async (_what, publicKey) => {
    expectErrorSentence(await post('signing-keys', { publicKey }))
  })

  test('a certificate is not taken for a key', async () => {
    const { certificate } = await createSelfSignedIdentity()
    expect(expectErrorSentence(await post('signing-keys', { publicKey: certificate }))).toMatch(/is a CERTIFICATE/)
  })

  test('a key that is registered already, in any encoding', async () => {
    const pair = newKeyPair()
    expect((await post('signing-keys', { publicKey: pair.pem })).status).toBe(201)
    const spellings = [pair.pem, pair.jwk, JSON.stringify(pair.jwk), { ...pair.jwk, kid: 'x', use: 'sig' }]
    const compressed = execFileSync('openssl', ['ec', '-pubin', '-conv_form', 'compressed'], {
      input: pair.pem,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    for (const publicKey of [...spellings, compressed.toString()])
      expect(expectErrorSentence(await post('signing-keys', { publicKey }), 409)).toMatch(/registered already/)
  })
})

test.each(['nothing', '%00', '%zz', '__proto__', '...'])('deregistering the unknown key %s is 404', async keyId => {
  expectErrorSentence(await sendRawControlCall(sandbox.pagesPort, 'DELETE', `signing-keys/${keyId}`), 404)
})
