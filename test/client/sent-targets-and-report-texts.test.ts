import { expect, test } from 'vitest'
import type { Credentials } from '../../contracts/client/credentials.ts'
import type { WireRequest } from '../../contracts/client/http-exchange.ts'
import { createMerchant, type MerchantOptions } from '../../contracts/client/merchant-client.ts'
import type { Transport } from '../../contracts/client/transport.ts'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import { signResponse } from '../../contracts/protocol/sign-messages.ts'
import { verifyRequest } from '../../contracts/protocol/verify-request.ts'
import { KEY_PAIRS } from '../protocol/generated-key-pairs.ts'

const [key] = KEY_PAIRS
if (!key) throw new Error('There are no pairs.')

const CREATED = Math.floor(Date.now() / 1000)
const CREDENTIALS: Credentials = {
  baseUrl: 'https://api.example',
  organizationId: 'shop',
  clientId: 'shop',
  processingAccountIds: ['a'],
  identity: { certificate: '', privateKey: '' },
  signingKeys: [key],
}
const JSON_BODIES: Partial<Record<string, object>> = {
  token: { access_token: 'token', expires_in: 7200 },
  keySet: { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.keyId }] },
}

/** A client of a service that signs every response, and the requests that it sends. */
const merchantOf = (options: MerchantOptions, text = '{}', type?: string) => {
  const sent: WireRequest[] = []
  const exchange: Transport['exchange'] = async request => {
    sent.push(request)
    const json = JSON_BODIES[request.endpoint ?? '']
    const body = Buffer.from(json ? JSON.stringify(json) : text)
    const content = {
      contentDigest: contentDigest(body, 'sha-512'),
      contentLength: body.length,
      ...(type && { contentType: type }),
    }
    const signature = await signResponse({ status: 200, ...content }, key, { created: CREATED })
    const headers = { 'content-digest': content.contentDigest, ...(type && { 'content-type': type }), ...signature }
    return { request, response: { status: 200, headers, body }, durationMs: 1 }
  }
  const transport = { exchange, session: async () => undefined, close: () => {} }
  return { sent, merchant: createMerchant(CREDENTIALS, { ...options, transport }) }
}

test.each([
  ['T1', '/p/{transactionId}/zdarzenia|ą'],
  ['a b/ć', '/p/{transactionId}/events'],
  ['T1', '/p/../q/{transactionId}?of="x"#y'],
])('5.2: the target that is signed of %s at %s is the one that is sent', async (transactionId, events) => {
  const { merchant, sent } = merchantOf({ paths: { events } })
  await merchant.request('events', { path: { transactionId } }, { token: 'x' })
  const [{ url = '', method = '', headers = {} } = {}] = sent
  const { pathname, search } = new URL(url)
  const target = `${pathname}${search}`
  expect(url).toBe(`https://api.example${target}`)
  const verdict = await verifyRequest(
    { method, target, host: headers.host ?? '', header: name => headers[name], body: Buffer.alloc(0) },
    {
      keyFor: () => key,
      dialect: { readings: ['literal'], encodings: ['der'] },
      nowSeconds: CREATED,
      maxAgeSeconds: 300,
      maxAheadSeconds: 300,
    },
  )
  expect(verdict).toMatchObject({ ok: true })
})

test.each(['', '.', '..'])('2.6: the id "%s", which no path carries, is refused before anything is sent', async id => {
  const { merchant, sent } = merchantOf({ paths: { capture: '/payments/{transactionId}/capture' } })
  const capture = { processingAccountId: 'a', clientTransactionId: 'c', transactionId: id, paymentDetails: {} }
  for (const call of [merchant.status(id), merchant.events(id), merchant.capture(capture)])
    await expect(call).rejects.toThrow(
      `transactionId is "${id}", which no path carries: give the id that the service returned.`,
    )
  expect(sent).toEqual([])
})

test.each(['application/octet-stream', 'Text/CSV; charset=utf-8', 'application/json', undefined])(
  '4: a report of the type %s is the text of its bytes, and JSON of that type is JSON',
  async type => {
    const text = '{"a":"ż"}\n'
    const { merchant } = merchantOf({}, text, type)
    expect(await merchant.downloadReport('r')).toMatchObject({ ok: true, body: text })
    expect(await merchant.status('t')).toMatchObject({ ok: true, body: { a: 'ż' } })
  },
)
