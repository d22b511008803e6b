import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect, type Expect } from '../../contracts/harness/judge/check-assertions.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import { acceptedResponseDialect } from '../../contracts/protocol/match-signature-dialect.ts'
import { algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'
import { verifyWebhookSignature } from '../../contracts/protocol/verify-webhook.ts'
import { createWebhookHmac, WEBHOOK_HEADERS } from '../../contracts/protocol/webhook-hmac.ts'
import { isOf } from '../../contracts/suites/drivers/open-webhook-source.ts'
import { readDeliveredByCommand } from '../../contracts/suites/drivers/read-webhooks-from-profile-command.ts'
import { expectWebhookSigned } from '../../contracts/suites/evidence/expect-webhook-signed.ts'
import { verifyServiceWebhook } from '../../contracts/suites/evidence/verify-service-signature-of-webhook.ts'
import { openWebhookReceiver } from '../../contracts/suites/given/webhook-receiver.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const open = async (statusOf?: Parameters<typeof openWebhookReceiver>[1]) => {
  const receiver = await openWebhookReceiver('http://127.0.0.1:0', statusOf)
  onTestFinished(receiver.close)
  return receiver
}

test('a caller that hangs up in the middle of a webhook ends nothing, and brings none', async () => {
  const { url, calls } = await open()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.end('POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half":')
  await once(socket.resume(), 'close')
  const { status } = await fetch(url, { method: 'POST', body: '{}' })
  expect([status, calls.length]).toEqual([204, 1])
})

test.each([
  ['HEAD', undefined],
  ['GET', undefined],
  ['OPTIONS', undefined],
  ['PUT', '{}'],
  ['POST', undefined],
])('a %s request with the body %s is answered, and is no webhook', async (method, body) => {
  const { url, calls } = await open(() => 500)
  const { status } = await fetch(url, { method, ...(body !== undefined && { body }) })
  expect([status, calls.length]).toEqual([204, 0])
})

test('a webhook without end is refused', async () => {
  const { url, calls } = await open()
  const told = await fetch(url, { method: 'POST', body: 'x'.repeat(2 ** 21) }).then(
    ({ status }) => status,
    () => 413, // the connection may be closed before all is sent
  )
  expect([told, calls.length]).toEqual([413, 0])
})

test('6: the age of a webhook is judged by the time at which it came, whenever it is judged', async () => {
  const received = Date.UTC(2020, 0, 1)
  const [secret, body] = [`whsec_${Buffer.alloc(24, 7).toString('base64')}`, '{"transactionId":"t"}']
  const timestamp = String(received / 1000)
  const headers = {
    [WEBHOOK_HEADERS.id]: 'm',
    [WEBHOOK_HEADERS.timestamp]: timestamp,
    [WEBHOOK_HEADERS.signature]: createWebhookHmac(secret, 'm', timestamp, Buffer.from(body)),
  }
  const profile = { webhooks: { signature: 'hmac' } } as Profile
  const holds = (ok: boolean, wanted: string, told: string) => expect(ok, `${wanted}: ${told}`).toBe(true)
  const pushed = { request: { method: 'GET', url: '', headers: {} }, durationMs: 0 } as Exchange
  const judge = (receivedAt: number) =>
    expectWebhookSigned(
      { target: '/', headers, body, secret, receivedAt: new Date(receivedAt).toISOString() },
      () => pushed,
      { profile, holds } as unknown as Expect,
      pushed,
    )
  await judge(received + 10_000)
  await judge(received - 400_000) // no tolerance of clocks is stated (5.2)
  await expect(judge(received + 3_600_000)).rejects.toThrow(/signature that verifies/)
})

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
const keysOf = (...keys: object[]): Exchange => ({
  request: { method: 'GET', url: 'https://sandbox.example/', headers: {} },
  response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ keys })) },
  durationMs: 0,
})

type Signing = {
  headers?: Record<string, string>
  hash?: string
  kid?: string | undefined
  others?: object[]
  /** The path and query that arrived, where a tunnel changes them, or that nobody told. */
  arrived?: string | null
  /** Whether the address that was called is not known. */
  isUnknown?: boolean
}

/** What the suite and the merchant client say of a webhook to an address whose service's signature covers these components. */
const verdictsOf = async (
  address: string,
  components: Readonly<Record<string, string>>,
  { headers: more, hash = 'sha384', kid, others = [], arrived, isUnknown }: Signing = {},
) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const list = Object.keys(components).map(name => `"${name}"`)
  const parameters = `(${list.join(' ')});keyid="k";created=1000`
  const lines = Object.entries({ ...components, '@signature-params': parameters }).map(
    ([name, value]) => `"${name}": ${value}`,
  )
  const signature = sign(hash, Buffer.from(lines.join('\n')), privateKey).toString('base64')
  const url = new URL(address)
  const headers: Readonly<Record<string, string>> = {
    host: url.host,
    'content-type': 'application/json; charset=utf-8',
    'signature-input': `service_sig=${parameters}`,
    signature: `service_sig=:${signature}:`,
    'content-digest': DIGEST,
    ...more,
  }
  const target = address.slice(url.origin.length)
  const webhook = { target, body: BODY, header: (name: string) => headers[name] }
  const told = { ...webhook, target: arrived === null ? undefined : (arrived ?? target) }
  const keyFor = (keyId: string) => ({ keyId, algorithm: algorithmNamed('ECDSA_SHA_384'), publicKey })
  const dialect = acceptedResponseDialect()
  const keySet = keysOf({ ...publicKey.export({ format: 'jwk' }), ...(kid && { kid }) }, ...others)
  const time = { nowSeconds: 1000 }
  return {
    suite: await verifyServiceWebhook({ ...told, address: isUnknown ? undefined : url }, keySet, dialect, time),
    client: await verifyWebhookSignature(webhook, keyFor, dialect, { nowSeconds: 1000 }),
  }
}
const BODY = Buffer.from('{}')
const DIGEST = contentDigest(BODY)
const VERIFIED = { suite: { hash: 'sha384' }, client: { ok: true } }
const BODY_AND_METHOD = { 'content-digest': DIGEST, '@method': 'POST' }
const HOOK = 'https://shop.example/hook'

// biome-ignore format: a table reads by its columns
test.each<[string, Record<string, string>]>([
  ['https://shop.example/hook?a=1?b=2', { '@path': '/hook', '@query': '?a=1?b=2' }],
  ['https://shop.example/hook?',        { '@path': '/hook', '@query': '?' }],
  ['https://shop.example/hook',         { '@path': '/hook', '@query': '?' }],
  ['https://shop.example:8443/hook',    { '@authority': 'shop.example' }],
  ['https://shop.example:8443/hook',    { '@authority': 'shop.example:8443' }],
  ['https://shop.example/hook',         { '@request-target': '/hook', 'content-type': 'application/json; charset=utf-8' }],
  ['https://shop.example/hook',         { '@method': 'POST', date: 'today' }],
  ['https://shop.example/hook',         { '@authority': 'shop.example', '@method': 'POST', '@request-target': '/hook', 'content-type': 'application/json', 'content-length': '2' }],
])('5.2, 6, D-100: a webhook to %s verifies in the suite and for the merchant client where its signature covers %j', async (address, components) => {
  expect(await verdictsOf(address, { 'content-digest': DIGEST, ...components }, { headers: { date: 'today' } })).toEqual(VERIFIED)
})

// biome-ignore format: a table reads by its columns
test.each<[string, Signing, object]>([
  ['by a key without kid',             {},                                                { hash: 'sha384' }],
  ['by a key of another kid',          { kid: 'other' },                                  { hash: 'sha384' }],
  ['with a hash of another curve',     { hash: 'sha512', kid: 'k' },                      { hash: 'sha512' }],
  ['by no key of the key set',         { hash: 'sha1' },                                  { error: expect.stringMatching(/any key of the key set/) }],
  ['perhaps by a key that is no EC key', { hash: 'sha1', others: [RSA] },                 { unread: expect.stringMatching(/no EC key/) }],
  ['over a part of a component',       { headers: { 'signature-input': 'service_sig=("content-digest";sf);keyid="k";created=1000' } }, { unread: expect.stringMatching(/parameter/) }],
])('5.4, 6: a webhook that is signed %s is judged as a response is', async (_what, signing, verdict) => {
  expect((await verdictsOf(HOOK, BODY_AND_METHOD, signing)).suite).toEqual(verdict)
})

// biome-ignore format: a table reads by its columns
test.each<[string, Record<string, string>, RegExp]>([
  ['not its body',            { '@method': 'POST' },                                               /does not cover "content-digest"/],
  ['what a response has too', { 'content-digest': DIGEST, 'content-type': 'application/json' },     /does not cover "@request-target"/],
  ['another target',          { 'content-digest': DIGEST, '@request-target': '/other' },            /does not verify$/],
  ['the status of a response', { 'content-digest': DIGEST, '@status': '200' },                      /does not verify: it covers "@status", which the webhook does not have/],
  ['a scheme',                { 'content-digest': DIGEST, '@scheme': 'https' },                     /it covers "@scheme"/],
])('6, D-100: the merchant client rejects a webhook whose signature covers %s', async (_what, components, why) => {
  const { client } = await verdictsOf('https://shop.example/hook', components)
  expect(client).toEqual({ ok: false, message: expect.stringMatching(why) })
})

// biome-ignore format: a table reads by its columns
test.each<[string, Record<string, string>, Signing, object]>([
  ['whose path a tunnel removes',          { '@request-target': '/hooks/assay?a=1' },                                     { arrived: '/?a=1' },  { hash: 'sha384' }],
  ['whose path a tunnel adds',             { '@path': '/hooks/assay', '@query': '?a=1' },                                 { arrived: '/x' },     { hash: 'sha384' }],
  ['whose address is signed as a whole',   { '@target-uri': 'https://tunnel.example/hooks/assay?a=1' },                   { arrived: '/' },      { hash: 'sha384' }],
  ['that was signed as it arrived',        { '@request-target': '/' },                                                    { arrived: '/' },      { hash: 'sha384' }],
  ['that was signed for another address',  { '@request-target': '/other' },                                               { arrived: '/' },      { error: expect.stringMatching(/any key of the key set/) }],
  ['whose path is in no source',           { '@request-target': '/hooks/assay?a=1' },                                     { arrived: null, isUnknown: true }, { untold: '@request-target' }],
  ['whose scheme is in no source',         { '@request-target': '/hooks/assay?a=1', '@scheme': 'https' },                 { isUnknown: true },   { untold: '@scheme' }],
  ['whose authority is in its headers',    { '@request-target': '/hooks/assay?a=1', '@authority': 'tunnel.example' },     { isUnknown: true },   { hash: 'sha384' }],
  ['whose path nobody signed',             { '@method': 'POST' },                                                         { arrived: null, isUnknown: true }, { hash: 'sha384' }],
])('6, D-100: a webhook %s is judged by the address that was called', async (_what, components, signing, verdict) => {
  const signed = { 'content-digest': DIGEST, ...components }
  expect((await verdictsOf('https://tunnel.example/hooks/assay?a=1', signed, signing)).suite).toEqual(verdict)
})

test('6: a command that does not tell which address was called leaves a signature over it unjudged, and says so', async () => {
  const profile = { file: 'ours.yaml', webhooks: { command: 'cat log', signature: 'rfc9421' } } as unknown as Profile
  const headers = {
    'content-digest': DIGEST,
    'signature-input': 'service_sig=("content-digest" "@request-target");keyid="k";created=1000',
    signature: 'service_sig=:AAAA:',
  }
  const told = expectWebhookSigned(
    { headers, body: '{}', receivedAt: new Date(1_000_000).toISOString() },
    () => keysOf(),
    createExpect(profile, { id: 'EVT-03' }),
    keysOf(),
  )
  await expect(told).rejects.toThrow(
    /^the signature covers "@request-target", which the webhooks of webhooks\.command do not tell: .*target/,
  )
})

test('2.6: an id that is a number of any size is found in its webhook', () => {
  const profile = { fields: { webhook: { transactionId: '/id' } } } as unknown as Profile
  const body = '{"id":9007199254740993123}'
  expect([isOf(profile, { body }, '9007199254740993123'), isOf(profile, { body }, '9007199254740993124')]).toEqual([
    true,
    false,
  ])
})

test('a character of a webhook that a command prints in two writes stays whole', async () => {
  const line = '{"headers":{},"body":"z'
  const command = `printf '${line}\\305'; sleep 0.1; printf '\\202"}\\n'`
  const profile = { file: join(temporaryFolder(), 'profile.yaml'), webhooks: { command } } as unknown as Profile
  const [webhook] = await readDeliveredByCommand(profile, 't', new AbortController().signal)
  expect(webhook?.body).toBe('zł')
})
