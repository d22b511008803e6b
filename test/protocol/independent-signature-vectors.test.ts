import { describe, expect, test } from 'vitest'
import { requestComponent, responseComponent, signatureBase } from '../../contracts/protocol/signature-base.ts'
import { verifyResponse } from '../../contracts/protocol/verify-response.ts'
import {
  COMPONENTS_OF_RFC,
  NEGATIVE_VECTORS,
  POSITIVE_VECTORS,
  RFC_RESPONSE,
  STRUCTURED_FIELD_NEGATIVES,
  strictDialect,
  TOLERANT_DIALECT,
  vectorKey,
  verifyAtVectorTime,
} from './signature-vectors.ts'

/** Refusal message for each Signature-Input that is no valid list. */
const SAYINGS: Readonly<Record<string, RegExp>> = {
  'duplicate-label': /one label twice/,
  'duplicate-component': /names "@method" twice/,
  'uppercase-name': /lowercase, not "Content-Type"/,
  'req-on-request': /"@method" carries a parameter/,
  'status-in-request': /the component list is \("@status"\)/,
  'token-component': /a name in double quotes/,
  'created-decimal': /created is missing or not a whole number/,
  'created-millis': /the component list is \("@method"\)/,
  'unclosed-quote': /not a structured-field dictionary/,
  'comma-list': /not a structured-field dictionary/,
}

const OTHER = { rfc: 'literal', literal: 'rfc' } as const

describe('5.2: requests signed by an independent implementation', () => {
  test.each(POSITIVE_VECTORS)(
    '$id verifies, and the verdict names the $reading reading',
    async ({ request, reading, keyId }) => {
      expect(await verifyAtVectorTime(request)).toEqual({ ok: true, keyId, reading, encoding: 'raw' })
    },
  )

  test.each(POSITIVE_VECTORS)(
    '$id verifies where only the $reading reading is accepted',
    async ({ request, reading }) => {
      expect(await verifyAtVectorTime(request, { dialect: strictDialect(reading) })).toMatchObject({
        ok: true,
        reading,
      })
    },
  )

  test.each(POSITIVE_VECTORS)(
    '$id is refused where only the other reading is accepted',
    async ({ request, reading }) => {
      expect(await verifyAtVectorTime(request, { dialect: strictDialect(OTHER[reading]) })).toMatchObject({
        ok: false,
        kind: 'mismatch',
      })
    },
  )

  test.each(POSITIVE_VECTORS)('$id is refused where only DER is accepted', async ({ request, reading }) => {
    expect(await verifyAtVectorTime(request, { dialect: strictDialect(reading, 'der') })).toMatchObject({
      ok: false,
      kind: 'mismatch',
    })
  })

  test.each(POSITIVE_VECTORS)(
    '$id: the base that a refusal shows is the one that was signed',
    async ({ request, reading, base }) => {
      const verdict = await verifyAtVectorTime(request, { dialect: { readings: [reading], encodings: [] } })
      expect(verdict).toMatchObject({ ok: false, expectedBase: base })
    },
  )
})

describe('5.2: requests with one signing error', () => {
  test.each(NEGATIVE_VECTORS)('$id is refused when strict: $diagnosis', async ({ request }) => {
    expect(await verifyAtVectorTime(request, { dialect: strictDialect('rfc') })).toMatchObject({
      ok: false,
      kind: 'mismatch',
    })
  })

  test.each(NEGATIVE_VECTORS)(
    '$id is accepted by default only where it is DER and nothing else',
    async ({ id, request }) => {
      const { ok } = await verifyAtVectorTime(request)
      expect(ok).toBe(id.endsWith('-der'))
    },
  )
})

describe('5.2: invalid Signature-Input', () => {
  test.each(STRUCTURED_FIELD_NEGATIVES)('$id is refused with a message: $rule', async ({ id, value }) => {
    const headers = { host: 'api.example', 'signature-input': value, signature: 'service_sig=:AAAA:' }
    const verdict = await verifyAtVectorTime(
      { method: 'GET', target: '/', headers },
      { keyFor: () => vectorKey('dialect-P-256') },
    )
    expect(verdict).toMatchObject({ ok: false, message: expect.stringMatching(SAYINGS[id] ?? 'a saying of its own') })
  })

  test('a created time in milliseconds is reported as such', async () => {
    const input = 'service_sig=("@authority" "@method" "@request-target");keyid="a";created=1760000000000'
    const headers = { host: 'api.example', 'signature-input': input, signature: 'service_sig=:AAAA:' }
    const verdict = await verifyAtVectorTime({ method: 'GET', target: '/', headers })
    expect(verdict).toMatchObject({ ok: false, message: expect.stringContaining('milliseconds') })
  })
})

describe('5.2 and RFC 9421', () => {
  test.each(COMPONENTS_OF_RFC)('component $component of the example $id', ({ host = '', target = '', ...example }) => {
    expect(requestComponent({ method: 'GET', host, target }, example.component)).toBe(example.value)
  })

  test.each([
    ['API.Example:8443', 'api.example'],
    ['api.example', 'api.example'],
    ['[::1]:8443', '[::1]'],
    ['[::1]', '[::1]'],
    ['127.0.0.1:80', '127.0.0.1'],
    ['api.example:', 'api.example'],
  ])('@authority of the host %s is %s: lower case, no port', (host, authority) => {
    expect(requestComponent({ method: 'GET', host, target: '/' }, '@authority')).toBe(authority)
  })

  test.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=UTF-8', 'application/json'],
    ['application/json;charset=utf-8', 'application/json'],
  ])('content-type %s stands in the base as %s', (contentType, value) => {
    expect(requestComponent({ method: 'POST', host: 'a', target: '/', contentType }, 'content-type')).toBe(value)
  })

  test('@method stands in upper case, @request-target exactly as sent with its query', () => {
    const parts = { method: 'post', host: 'a', target: '/A/../b%2f?x=1&&y=%20' }
    expect(requestComponent(parts, '@method')).toBe('POST')
    expect(requestComponent(parts, '@request-target')).toBe(parts.target)
  })

  test('the base of the RFC’s signed response is reproduced', () => {
    const { headers, status, signatureInput, base } = RFC_RESPONSE
    const parts = {
      status,
      contentDigest: headers['content-digest'],
      contentType: headers['content-type'],
      contentLength: Number(headers['content-length']),
    }
    const components = ['@status', 'content-type', 'content-digest', 'content-length']
    const parameters = signatureInput.replace('sig-b24=', '')
    expect(signatureBase(components, name => responseComponent(parts, name), parameters, 'rfc')).toBe(base)
  })

  test('5.4: the RFC’s signed response verifies, and no other body does', async () => {
    const { headers, status, body, signatureInput, signature } = RFC_RESPONSE
    const signed: Record<string, string> = {
      ...headers,
      'signature-input': signatureInput.replace('sig-b24=', 'service_sig='),
      signature: signature.replace('sig-b24=', 'service_sig='),
    }
    const answer = { status, header: (name: string) => signed[name], body: Buffer.from(body) }
    expect(await verifyResponse(answer, vectorKey, TOLERANT_DIALECT)).toMatchObject({
      ok: true,
      reading: 'rfc',
      encoding: 'raw',
    })
    const otherBody = { ...answer, body: Buffer.from(body.replace('good', 'evil')) }
    expect(await verifyResponse(otherBody, vectorKey, TOLERANT_DIALECT)).toMatchObject({ ok: false })
    expect(await verifyResponse({ ...answer, status: 201 }, vectorKey, TOLERANT_DIALECT)).toMatchObject({ ok: false })
  })
})
