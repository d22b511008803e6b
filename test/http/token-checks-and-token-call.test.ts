import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '../../simulator/support/clock.ts'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { withHeader } from '../support/create-signed-raw-request.ts'
import {
  identityOf,
  irisInitiateBody,
  openRawSandbox,
  type RawMerchant,
  type RawSandbox,
  tokenForm,
} from '../support/raw-request-sandbox.ts'

const NOW = 1_900_000_000
const FORM = 'application/x-www-form-urlencoded'

let sandbox: RawSandbox

/** Requests to a key server that forged tokens name (RFC 8725 3.10). */
const asked: string[] = []
const keyServer = createServer(({ url = '' }, outgoing) => {
  asked.push(url)
  outgoing.end()
})
let keyServerUrl = ''

beforeAll(async () => {
  await new Promise<void>(resolve => keyServer.listen(0, '127.0.0.1', resolve))
  keyServerUrl = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`
  sandbox = await openRawSandbox({ clock: createClock(() => NOW * 1000) })
})

afterAll(async () => {
  keyServer.close()
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const partsOf = (token: string) => token.split('.') as [string, string, string]
const claimsOf = (token: string): object => JSON.parse(Buffer.from(partsOf(token)[1], 'base64url').toString())

/** Creates a JWT with a signature by the given function. */
const forged = (header: object, claims: object, seal: (text: string) => Buffer): string => {
  const text = `${base64url(header)}.${base64url(claims)}`
  return `${text}.${seal(text).toString('base64url')}`
}

const publicPem = (): string => {
  const [key] = [...sandbox.keySet.values()].filter(({ algorithm }) => algorithm.jwa === 'ES256')
  return key?.publicKey.export({ type: 'spki', format: 'pem' }).toString() ?? ''
}

const FORGERIES: [string, (good: string) => string][] = [
  ['without a signature, alg none', good => `${base64url({ alg: 'none' })}.${partsOf(good)[1]}.`],
  ['without a signature, alg kept', good => good.replace(/\.[^.]*$/, '.')],
  [
    'with the public key as the secret of HS256',
    good => forged({ alg: 'HS256' }, claimsOf(good), text => createHmac('sha256', publicPem()).update(text).digest()),
  ],
  [
    'signed by a key of the forger',
    good =>
      forged({ alg: 'ES256' }, claimsOf(good), text => {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        return sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      }),
  ],
  [
    'with its own key in the header',
    good => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const header = { alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }), kid: '../../../etc/passwd' }
      return forged(header, claimsOf(good), text =>
        sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
      )
    },
  ],
  [
    'that tells where its key is to be had',
    good => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const header = { alg: 'ES256', jku: keyServerUrl, x5u: keyServerUrl }
      return forged(header, claimsOf(good), text =>
        sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
      )
    },
  ],
  [
    'signed by a registered signing key of the merchant, named by its kid',
    good => {
      const { keyId, privateKey } = sandbox.demo.signingKey
      return forged({ alg: 'ES256', kid: keyId }, claimsOf(good), text =>
        sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
      )
    },
  ],
  [
    'signed by a key of a longer curve under its own name',
    good => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
      const header = { alg: 'ES384', jwk: publicKey.export({ format: 'jwk' }) }
      return forged(header, claimsOf(good), text =>
        sign('sha384', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
      )
    },
  ],
  [
    'sealed with an empty secret',
    good => forged({ alg: 'HS512' }, claimsOf(good), text => createHmac('sha512', '').update(text).digest()),
  ],
  [
    'with another claim under the same signature',
    good => [partsOf(good)[0], base64url({ ...claimsOf(good), scope: 'data:reports' }), partsOf(good)[2]].join('.'),
  ],
  [
    'with a critical extension',
    good => [base64url({ alg: 'ES256', crit: ['b64'], b64: false }), ...partsOf(good).slice(1)].join('.'),
  ],
  ['of a single letter', () => 'x'],
  ['of five parts', good => `${good}.x.y`],
  ['of dots', () => '..'],
  ['of 12,000 letters', () => 'x'.repeat(12_000)],
  ['whose header is no JSON', good => ['e', ...partsOf(good).slice(1)].join('.')],
  ['whose header is null', good => [Buffer.from('null').toString('base64url'), ...partsOf(good).slice(1)].join('.')],
]

test.each(FORGERIES)('a token %s is refused', async (_case, forge) => {
  const message = await sandbox.sign({ body: irisInitiateBody(), token: forge(sandbox.demo.token) })
  await expectRefusal(await sandbox.send(message), sandbox.keySet, '401/4970')
  expect(asked).toEqual([])
})

test('a token with one character changed is refused', async () => {
  const { token } = sandbox.demo
  for (let at = 0; at < token.length - 1; at += 23) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    if (changed.split('.').length !== 3) continue
    const message = await sandbox.sign({ body: irisInitiateBody(), token: changed })
    await expectRefusal(await sandbox.send(message), sandbox.keySet, '401/4970')
  }
})

test.each([
  ['missing', []],
  ['empty', ['']],
  ['a scheme alone', ['Bearer']],
  ['another scheme', ['Basic ZGVtbzpkZW1v']],
  ['a token alone', ['eyJ.eyJ.x']],
  ['two tokens', ['Bearer a b']],
  ['quotes', ['Bearer "eyJ"']],
  ['UTF-8', ['Bearer \xc5\xbc']],
])('Authorization: %s', async (_case, values) => {
  const message = withHeader(await sandbox.sign({ body: irisInitiateBody() }), 'Authorization', ...values)
  await expectRefusal(await sandbox.send(message), sandbox.keySet, '401/4970')
})

test('Authorization sent twice is refused with 400', async () => {
  const bearer = `Bearer ${sandbox.demo.token}`
  const message = withHeader(await sandbox.sign({ body: irisInitiateBody() }), 'Authorization', bearer, bearer)
  await expectRefusal(await sandbox.send(message), sandbox.keySet, '400/4000')
})

test('E1, D-79: a key that comes twice is ignored by reads, and refused where it counts', async () => {
  const read = withHeader(await sandbox.sign({ target: '/payments/x/status' }), 'Idempotency-Key', 'one', 'two')
  await expectRefusal(await sandbox.send(read), sandbox.keySet, '404/4001')
  const initiate = withHeader(await sandbox.sign({ body: irisInitiateBody() }), 'Idempotency-Key', 'one', 'two')
  const { statusInfo } = await expectRefusal(await sandbox.send(initiate), sandbox.keySet, '400/4000')
  expect(statusInfo.message).toMatch(/^Idempotency-Key is sent more than once: send a fresh UUID with every operation/)
})

test.each(['bEARER ', 'Bearer   '])('RFC 6750 2.1: the token may follow %j', async scheme => {
  const message = await sandbox.sign({ body: irisInitiateBody() })
  const written = withHeader(message, 'Authorization', `${scheme}${sandbox.demo.token}`)
  await expectServed(await sandbox.send(written), sandbox.keySet)
})

test('a token of another organization than the certificate is refused with 403', async () => {
  const message = await sandbox.sign({ body: irisInitiateBody(), token: sandbox.other.token })
  await expectRefusal(await sandbox.send(message), sandbox.keySet, '403/4971')
})

const askForToken = async (body: string | object, contentType = FORM, merchant: RawMerchant = sandbox.demo) => {
  const message = await sandbox.sign({ merchant, target: '/auth/token', contentType, body, token: null })
  return sandbox.send(message, { identity: identityOf(merchant.kit) })
}

test('an operation outside the requested scopes is refused with 403', async () => {
  const { access_token: token } = await expectServed(await askForToken(tokenForm(sandbox.demo.kit, '')), sandbox.keySet)
  const initiate = await sandbox.sign({ body: irisInitiateBody(), token: String(token) })
  await expectRefusal(await sandbox.send(initiate), sandbox.keySet, '403/4971')
  const status = await sandbox.sign({ target: '/payments/x/status', token: String(token) })
  await expectRefusal(await sandbox.send(status), sandbox.keySet, '404/4001')
})

test('a token expires after 7200 seconds on its organization’s clock', async () => {
  const { other } = sandbox
  const ask = async () => {
    const message = await sandbox.sign({ merchant: other, target: '/payments/x/status' })
    return sandbox.send(message, { identity: identityOf(other.kit) })
  }
  await sandbox.simulator.controlPlane.clock.advance('other-merchant', 7_199_000)
  await expectRefusal(await ask(), sandbox.keySet, '404/4001')
  await sandbox.simulator.controlPlane.clock.advance('other-merchant', 1_000)
  await expectRefusal(await ask(), sandbox.keySet, '401/4061')
})

const GOOD = { grant_type: 'client_credentials', client_id: 'demo-merchant', scope: 'payments:process' }
const form = (change: Record<string, string>) => new URLSearchParams({ ...GOOD, ...change }).toString()

test.each<[string, string | object, string?]>([
  ['JSON', GOOD, 'application/json'],
  ['a form that calls itself text', form({}), 'text/plain'],
  ['a form that calls itself multipart', form({}), 'multipart/form-data; boundary=x'],
  ['nothing', ''],
  ['no grant_type', 'client_id=demo-merchant'],
  ['another grant_type', form({ grant_type: 'password' })],
  ['no client_id', 'grant_type=client_credentials'],
  ['an empty client_id', form({ client_id: '' })],
  ['an unknown scope', form({ scope: 'payments:process admin' })],
  ['a scope of 500,000 letters', form({ scope: 'x'.repeat(500_000) })],
  ['a scope with a line feed', form({ scope: 'payments:read\npayments:process' })],
  ['client_id twice', `${form({})}&client_id=demo-merchant`],
  ['a member named __proto__ twice', `${form({})}&__proto__=a&__proto__=b`],
  ['octets that are not UTF-8', `grant_type=%ff&client_id=%fe`],
  ['200,000 members', `${Array.from({ length: 200_000 }, (_, index) => index.toString(36)).join('&')}`],
])('a token request with %s is refused with 400', async (_case, body, contentType = FORM) => {
  const answer = await askForToken(body, contentType)
  await expectRefusal(answer, sandbox.keySet, '400/4000')
  expect(answer.body.length).toBeLessThan(2_000)
})

test('an unknown client_id and one of another organization get the same 403', async () => {
  const refusals = await Promise.all(
    ['nobody', 'other-merchant', "' OR 1=1 --", '__proto__'].map(async client_id => {
      const answer = await askForToken(form({ client_id }))
      const { callId, ...rest } = await expectRefusal(answer, sandbox.keySet, '403/4971')
      return rest
    }),
  )
  expect(new Set(refusals.map(refusal => JSON.stringify(refusal))).size).toBe(1)
})

test('requested scopes are granted once each, whatever their order and spacing', async () => {
  const asked = form({ scope: '  payments:process payments:read   payments:process ' })
  const { scope } = await expectServed(await askForToken(asked), sandbox.keySet)
  expect(scope).toBe('payments:read payments:process')
})
