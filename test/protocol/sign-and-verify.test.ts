import { describe, expect, test } from 'vitest'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import { SIGNATURE_ENCODINGS } from '../../contracts/protocol/ecdsa-encoding.ts'
import type { VerifyingKey } from '../../contracts/protocol/match-signature-dialect.ts'
import {
  type RequestToSign,
  type SigningKey,
  signRequest,
  signResponse,
} from '../../contracts/protocol/sign-messages.ts'
import { ALGORITHMS } from '../../contracts/protocol/signature-algorithms.ts'
import { BASE_READINGS } from '../../contracts/protocol/signature-base.ts'
import { type RequestVerificationRules, verifyRequest } from '../../contracts/protocol/verify-request.ts'
import { verifyResponse } from '../../contracts/protocol/verify-response.ts'
import { KEY_PAIRS, keyPair } from './generated-key-pairs.ts'
import { TOLERANT_DIALECT, VECTORS_CREATED } from './signature-vectors.ts'

const WAYS = KEY_PAIRS.flatMap(pair =>
  BASE_READINGS.flatMap(reading =>
    SIGNATURE_ENCODINGS.map(encoding => ({ pair, reading, encoding, curve: pair.algorithm.curve })),
  ),
)

const POST: RequestToSign = {
  method: 'POST',
  target: '/payments/initiate?x=%20',
  host: 'Api.Example:8443',
  contentType: 'application/json; charset=utf-8',
  body: Buffer.from('{"note":"Zażółć"}'),
}
const GET: RequestToSign = { method: 'GET', target: '/payments/1/status', host: 'api.example' }

type Signed = RequestToSign & { headers: Record<string, string> }

const signed = async (request: RequestToSign, key: SigningKey, more: object = {}): Promise<Signed> => ({
  ...request,
  headers: {
    ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
    ...(await signRequest(request, key, { created: VECTORS_CREATED, ...more })),
  },
})

const judge = ({ headers, ...request }: Signed, key: VerifyingKey, rules: Partial<RequestVerificationRules> = {}) =>
  verifyRequest(
    { ...request, body: request.body ?? Buffer.alloc(0), header: name => headers[name] },
    {
      keyFor: keyId => (keyId === key.keyId ? key : undefined),
      dialect: TOLERANT_DIALECT,
      nowSeconds: VECTORS_CREATED,
      maxAgeSeconds: 300,
      maxAheadSeconds: 60,
      ...rules,
    },
  )

describe.each(WAYS)('5.2: $curve, $reading reading, $encoding', ({ pair, reading, encoding }) => {
  test.each([POST, GET])('a signed $method verifies in its reading and encoding', async request => {
    const verdict = await judge(await signed(request, pair, { reading, encoding }), pair)
    expect(verdict).toEqual({ ok: true, keyId: pair.keyId, reading, encoding })
  })

  test('5.4: a signed response verifies, with and without a body', async () => {
    const body = Buffer.from('{"status":"APPROVED"}')
    const content = { contentDigest: contentDigest(body, 'sha-512'), contentType: 'application/json' }
    for (const parts of [{ status: 200, ...content, contentLength: body.length }, { status: 204 }]) {
      const signature = await signResponse(parts, pair, { created: VECTORS_CREATED, reading, encoding })
      const headers: Record<string, string> = {
        ...signature,
        ...('contentType' in parts ? { 'content-digest': parts.contentDigest, 'content-type': parts.contentType } : {}),
      }
      const answer = { status: parts.status, header: (name: string) => headers[name], body }
      const received = { ...answer, body: 'contentType' in parts ? body : Buffer.alloc(0) }
      expect(await verifyResponse(received, () => pair, TOLERANT_DIALECT)).toMatchObject({
        ok: true,
        reading,
        encoding,
      })
      const altered = { ...received, status: 500 }
      expect(await verifyResponse(altered, () => pair, TOLERANT_DIALECT)).toMatchObject({ ok: false })
    }
  })
})

describe('5.2: a change after signing fails verification', () => {
  const [key] = KEY_PAIRS
  if (!key) throw new Error('There is no pair.')
  // biome-ignore format: a table reads by its columns
  const ALTERED: readonly [string, 'digest' | 'mismatch', (request: Signed) => Partial<Signed>][] = [
    ['the method',         'mismatch', () => ({ method: 'PUT' })],
    ['the target',         'mismatch', () => ({ target: '/payments/initiate?x=%21' })],
    ['the host',           'mismatch', () => ({ host: 'api.example.org' })],
    ['one byte of the body', 'digest', () => ({ body: Buffer.from('{"note":"Zazółć"}') })],
    ['the body with its digest', 'mismatch', ({ headers }) => ({ body: Buffer.from('{}'), headers: { ...headers, 'content-digest': contentDigest(Buffer.from('{}')) } })],
    ['the digest’s algorithm', 'mismatch', ({ headers, body = Buffer.alloc(0) }) => ({ headers: { ...headers, 'content-digest': contentDigest(body, 'sha-512') } })],
    ['the media type',     'mismatch', ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })],
    ['created',            'mismatch', ({ headers }) => ({ headers: { ...headers, 'signature-input': `${headers['signature-input']}`.replace('000', '001') } })],
  ]
  test.each(ALTERED)('%s', async (_what, kind, alter) => {
    const request = await signed(POST, key)
    expect(await judge(request, key)).toMatchObject({ ok: true })
    expect(await judge({ ...request, ...alter(request) }, key)).toMatchObject({ ok: false, kind })
  })

  test('another key under the same keyid, and an unregistered keyid', async () => {
    const request = await signed(POST, key)
    expect(await judge(request, keyPair(ALGORITHMS[0], key.keyId))).toMatchObject({ ok: false, kind: 'mismatch' })
    expect(await judge(request, keyPair(ALGORITHMS[0], 'other'))).toMatchObject({
      ok: false,
      kind: 'mismatch',
      message: expect.stringContaining('not a registered signing key'),
    })
  })
})
