import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { verifyRecordedResponse } from '../../contracts/client/response-verifier.ts'
import { readVerifyingKeys } from '../../contracts/client/service-key-set.ts'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import { verifyResponseSignature } from '../../contracts/suites/evidence/verify-response-signature.ts'

const request = { method: 'GET', url: 'https://sandbox.example/', headers: {} }
const exchangeOf = (body: string, headers: Record<string, string> = {}, status = 200): Exchange => ({
  request,
  response: { status, headers, body: Buffer.from(body) },
  durationMs: 1,
})

const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwkOf = ({ publicKey }: { publicKey: KeyObject }) => publicKey.export({ format: 'jwk' })
const keysOf = (...keys: object[]) => exchangeOf(JSON.stringify({ keys }))
const published = keysOf(jwkOf(theirs))

type Parts = { list?: string; lines?: string[]; hash?: string; headers?: Record<string, string>; label?: string }

/** A response signed with the given components, hash and label. */
const signed = ({ list = '("@status" "date")', lines, hash = 'sha256', headers, label = 'service_sig' }: Parts) => {
  const parameters = `${list};keyid="k";created=1`
  const base = [...(lines ?? ['"@status": 200', '"date": today']), `"@signature-params": ${parameters}`].join('\n')
  const signature = sign(hash, Buffer.from(base), theirs.privateKey).toString('base64')
  const inputs = { 'signature-input': `${label}=${parameters}`, signature: `${label}=:${signature}:` }
  return exchangeOf('{}', { date: 'today', ...inputs, ...headers })
}

test.each(['sha256', 'sha384', 'sha512'])(
  '5.4: a response signed over any components verifies by a key without kid and %s',
  async hash => {
    expect(await verifyResponseSignature(signed({ hash }), published)).toEqual({ hash })
  },
)

// biome-ignore format: a table reads by its columns
test.each([
  ['a key that is not published',          signed({}),                                                             keysOf(jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }))), /any key/],
  ['no key at all',                        signed({}),                                                             keysOf(), /any key/],
  ['another status than was signed',       signed({ lines: ['"@status": 201', '"date": today'] }),                 published, /any key/],
  ['a signature that covers nothing',      signed({ list: '()', lines: [] }),                                      published, /covers nothing/],
  ['the digest of another body',           signed({ headers: { 'content-digest': contentDigest(Buffer.from('')) } }), published, /does not match/],
  ['no signature',                         exchangeOf('{}'),                                                       published, /not signed/],
])('5.4: %s does not verify', async (_what, answer, keys, fault) => {
  expect(await verifyResponseSignature(answer, keys)).toEqual({ error: expect.stringMatching(fault) })
})

// biome-ignore format: a table reads by its columns
test.each([
  ['an RSA key',                      signed({ lines: [] }),                                            keysOf(jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }))), /no EC key/],
  ['a part that is made, not sent',   signed({ list: '("@status" "@path")' }),                          published, /"@path"/],
  ['another label',                   signed({ label: 'sig1' }),                                        published, /label/],
])('5.4: %s is not judged', async (_what, answer, keys, unread) => {
  expect(await verifyResponseSignature(answer, keys)).toEqual({ unread: expect.stringMatching(unread) })
})

const digest = contentDigest(Buffer.from('{}'))
const named = keysOf({ ...jwkOf(theirs), kid: 'k' })
const covering = (components: Record<string, string>, headers: Record<string, string>) =>
  signed({
    list: `(${Object.keys(components)
      .map(name => `"${name}"`)
      .join(' ')})`,
    lines: Object.entries(components).map(([name, value]) => `"${name}": ${value}`),
    headers: { 'content-digest': digest, 'content-type': 'application/json; charset=utf-8', ...headers },
  })
const BODY_AND_STATUS = { 'content-digest': digest, '@status': '200' }

// biome-ignore format: a table reads by its columns
test.each<[string, Record<string, string>, Record<string, string>]>([
  ['the body and the status',          {},                                                   {}],
  ['any header too',                   { date: 'today' },                                    {}],
  ['the media type',                   { 'content-type': 'application/json' },                {}],
  ['the content type as it is sent',   { 'content-type': 'application/json; charset=utf-8' }, {}],
  ['the length that no header tells',  { 'content-length': '2' },                            {}],
  ['a header of the service',          { 'x-trace': 'a, b' },                                { 'x-trace': ' a, b ' }],
])('5.4: a response whose signature covers %s verifies in the suite and for the merchant client', async (_what, more, headers) => {
  const answer = covering({ ...BODY_AND_STATUS, ...more }, headers)
  expect(await verifyResponseSignature(answer, named)).toEqual({ hash: 'sha256' })
  expect(await verifyRecordedResponse(answer, readVerifyingKeys(named))).toMatchObject({ ok: true, keyId: 'k' })
})

// biome-ignore format: a table reads by its columns
test.each<[string, Exchange, RegExp]>([
  ['not its body',            covering({ '@status': '200', date: 'today' }, {}),              /does not cover "content-digest"/],
  ['not its status',          covering({ 'content-digest': digest, date: 'today' }, {}),      /does not cover "@status"/],
  ['another date',            covering({ ...BODY_AND_STATUS, date: 'yesterday' }, {}),        /does not verify$/],
  ['what was not sent',       covering({ ...BODY_AND_STATUS, 'x-trace': 'a' }, {}),           /does not verify: it covers "x-trace", which the response does not have/],
  ['what only a request has', covering({ ...BODY_AND_STATUS, '@method': 'GET' }, {}),         /it covers "@method"/],
])('5.4: the merchant client rejects a response whose signature covers %s', async (_what, answer, why) => {
  expect(await verifyRecordedResponse(answer, readVerifyingKeys(named))).toEqual({ ok: false, message: expect.stringMatching(why) })
})
