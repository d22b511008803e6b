import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type CallError,
  NoResponse,
  TokenRefused,
  UnreadableKeySet,
  UntrustedResponse,
} from '../../contracts/client/call-errors.ts'
import type { Exchange, WireRequest } from '../../contracts/client/http-exchange.ts'
import { createMerchant, type Merchant, type MerchantOptions } from '../../contracts/client/merchant-client.ts'
import { redact } from '../../contracts/client/redact-secrets.ts'
import { createTransport, type Transport } from '../../contracts/client/transport.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'

const MINUTE = 60_000
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let simulator: TestSimulator
let real: Transport
let sent: WireRequest[] = []
let spoil: (exchange: Exchange) => Exchange = exchange => exchange
let deliver: (request: WireRequest) => WireRequest = request => request

beforeAll(async () => {
  simulator = await startTestSimulator()
  real = createTransport(withCa(simulator))
})

afterAll(async () => {
  real.close()
  await simulator.stop()
})

beforeEach(() => {
  sent = []
  spoil = exchange => exchange
  deliver = request => request
})

const withCa = ({ credentials: { identity, ca } }: TestSimulator) => ({ identity, ...(ca === undefined ? {} : { ca }) })

/** A merchant client that records every call; a test may change what arrives of it, and its responses. */
const merchant = (options: MerchantOptions = {}): Merchant => {
  const exchange: Transport['exchange'] = async (request, connection) => {
    sent.push(request)
    return spoil({ ...(await real.exchange(deliver(request), connection)), request })
  }
  return createMerchant(simulator.credentials, { ...options, transport: { ...real, exchange } })
}

const account = () => simulator.credentials.processingAccountIds[0] ?? ''
const callsTo = (path: string) => sent.filter(({ url }) => url.endsWith(path))

const payment = () => ({
  processingAccountId: account(),
  clientTransactionId: 'order-1',
  transactionType: 'ONE_TIME' as const,
  returnUrl: 'https://shop.example/back',
  paymentDetails: { amount: 1250, currency: 'EUR', country: 'GR', description: 'One lamp' },
  providerDetails: { providerId: 'IRIS' as const },
  payerDetails: { payerId: 'payer-1' },
})

test('a payment from initiate to refund, every response signature verified', async () => {
  const shop = merchant()
  const started = await shop.initiate(payment())
  if (!started.ok) throw new Error('initiate was refused')
  const { transactionId } = started.body
  const control = `${simulator.pagesUrl}/control/organizations/demo-merchant`
  await fetch(`${control}/payments/${transactionId}/shopper`, post({ action: 'approve' }))
  const act = { processingAccountId: account(), clientTransactionId: 'act-1', transactionId }
  const { clientTransactionId: _, ...finalized } = act
  expect(await shop.finalize(finalized)).toMatchObject({ ok: true, body: { status: 'APPROVED' } })
  expect(await shop.capture({ ...act, paymentDetails: {} })).toMatchObject({
    ok: false,
    status: 422,
    refusal: { statusInfo: { reasonCode: '5002' } },
  })
  await fetch(`${control}/clock`, post({ advance: 'PT5S' }))
  expect(await shop.status(transactionId)).toMatchObject({ ok: true, body: { lifecycle: { state: 'SETTLED' } } })
  const refund = { ...act, paymentDetails: { description: 'broken' } }
  expect(await shop.refund(refund)).toMatchObject({ ok: true, body: { originalTransactionId: transactionId } })
  expect(await shop.events(transactionId)).toMatchObject({
    ok: true,
    body: { paymentDetails: { refundedAmount: 1250 } },
  })
  expect(await shop.cancel(act)).toMatchObject({ ok: false, status: 422 })
})

const post = (json: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(json),
})

test('one token and one key set serve many calls, also concurrent ones', async () => {
  const shop = merchant()
  await Promise.all([shop.status('a'), shop.status('b'), shop.status('c')])
  await shop.status('d')
  expect(callsTo('/auth/token')).toHaveLength(1)
  expect(callsTo('/jwks.json')).toHaveLength(1)
  expect(callsTo('/status')).toHaveLength(4)
})

test('the token is renewed five minutes before it expires, the key set after a day', async () => {
  let now = Date.now()
  const shop = merchant({ now: () => now })
  await shop.status('a')
  now += 114 * MINUTE
  await shop.status('a')
  expect(callsTo('/auth/token')).toHaveLength(1)
  now += 2 * MINUTE
  await shop.status('a')
  expect(callsTo('/auth/token')).toHaveLength(2)
  expect(callsTo('/jwks.json')).toHaveLength(1)
  now += 24 * 60 * MINUTE
  await shop.status('a')
  expect(callsTo('/jwks.json')).toHaveLength(2)
})

test('5.5: a token that the service calls wrong is fetched anew, and the call sent once more under its key', async () => {
  let isFirst = true
  deliver = request => {
    if (!request.url.endsWith('/initiate') || !isFirst) return request
    isFirst = false
    return { ...request, headers: { ...request.headers, authorization: 'Bearer wrong' } }
  }
  const shop = merchant()
  expect((await shop.initiate(payment())).ok).toBe(true)
  expect(callsTo('/auth/token')).toHaveLength(2)
  expect(new Set(callsTo('/initiate').map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  const refused = await shop.request('status', { path: { transactionId: 'a' } }, { token: 'wrong' })
  expect([refused.response?.status, callsTo('/auth/token').length]).toEqual([401, 2])
})

test('5.4: a token whose response was changed on the way is used for no call, and fetched anew for the next', async () => {
  spoil = exchange => {
    const { response, request } = exchange
    if (!request.url.endsWith('/auth/token') || !response) return exchange
    const body = Buffer.from(response.body.toString().replace('"access_token":"ey', '"access_token":"EY'))
    return { ...exchange, response: { ...response, body } }
  }
  const shop = merchant()
  const [one, other] = await Promise.all([1, 2].map(() => shop.initiate(payment()).catch(caught => caught)))
  for (const error of [one, other]) {
    expect(error).toBeInstanceOf(UntrustedResponse)
    expect(error.exchange.request.endpoint).toBe('token')
  }
  expect(callsTo('/initiate')).toEqual([])
  spoil = exchange => exchange
  expect((await shop.initiate(payment())).ok).toBe(true)
  expect(callsTo('/auth/token')).toHaveLength(2)
})

test('each scope has a token of its own', async () => {
  const shop = merchant()
  await shop.request('status', { path: { transactionId: 'a' }, scope: 'payments:read' })
  await shop.request('status', { path: { transactionId: 'a' }, scope: 'payments:process' })
  expect(callsTo('/auth/token').map(({ body }) => String(body))).toEqual([
    expect.stringContaining('payments%3Aread'),
    expect.stringContaining('payments%3Aprocess'),
  ])
})

test('every mutating call gets a new UUID v4 as Idempotency-Key unless it has one; reads and token calls get none', async () => {
  const shop = merchant()
  await shop.initiate(payment())
  await shop.initiate(payment())
  await shop.initiate(payment(), { idempotencyKey: 'mine' })
  await shop.status('a')
  const keys = callsTo('/initiate').map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([expect.stringMatching(UUID_V4), expect.stringMatching(UUID_V4), 'mine'])
  expect(keys[0]).not.toBe(keys[1])
  const others = sent.filter(({ url }) => !url.endsWith('/initiate'))
  expect(others.every(({ headers }) => !('idempotency-key' in headers))).toBe(true)
})

test.each([
  ['whose body was changed', ({ response }: Exchange) => response && { ...response, body: Buffer.from('{}') }],
  ['whose status was changed', ({ response }: Exchange) => response && { ...response, status: 200 }],
  ['that is not signed', ({ response }: Exchange) => response && { ...response, headers: {} }],
])('a response %s is not trusted', async (_what, change) => {
  spoil = exchange => {
    const response = exchange.request.url.endsWith('/status') ? change(exchange) : exchange.response
    return { ...exchange, ...(response && { response }) }
  }
  await expect(merchant().status('unknown')).rejects.toThrow(UntrustedResponse)
})

test('a missing response and a refused token are different errors', async () => {
  spoil = ({ request, durationMs }) => ({
    request,
    durationMs,
    transportError: { code: 'ECONNRESET', message: 'gone' },
  })
  await expect(merchant().keySet()).rejects.toThrow(NoResponse)
  spoil = exchange => exchange
  const { credentials } = simulator
  const nobody = createMerchant({ ...credentials, clientId: 'nobody' }, { transport: real })
  const error = await nobody.status('a').catch(caught => caught)
  expect(error).toBeInstanceOf(TokenRefused)
  expect((error as CallError).exchange.response?.status).toBe(403)
})

test('5.5: the error of a refused token call starts with the message and code of the service and is one sentence', async () => {
  const { credentials } = simulator
  const nobody = createMerchant({ ...credentials, clientId: 'nobody' }, { transport: real })
  const error = await nobody.status('a').catch(caught => caught)
  const { statusInfo } = JSON.parse(String(error.exchange.response.body))
  expect(error.message).toMatch(/^POST \S+\/auth\/token → 403 in \d+ ms: "/)
  expect(error.message).toContain(`: "${statusInfo.message}" (4971); no token was given, check the certificate first`)
  expect(inspect(error)).not.toContain('Signature')
})

// biome-ignore format: a table reads by its columns
test.each([
  [400, /no token was given, check the certificate first and then the signature$/],
  [401, /no token was given, check the certificate first and then the signature$/],
  [429, /→ 429 in \d+ ms: no token was given, retry the call$/],
  [502, /→ 502 in \d+ ms: no token was given, retry the call$/],
  [503, /→ 503 in \d+ ms: no token was given, retry the call$/],
  [404, /→ 404 in \d+ ms: no token was given, check that this is the token endpoint$/],
  [200, /→ 200 in \d+ ms: no token was given, check that this is the token endpoint$/],
])('5.5, 7.1: a token call that is answered with %i is told with what helps', async (status, why) => {
  spoil = exchange => ({ ...exchange, response: { status, headers: {}, body: Buffer.from('<html>') } })
  const error = await merchant().status('a').catch(caught => caught)
  expect(error).toBeInstanceOf(TokenRefused)
  expect(error.message).toMatch(why)
})

test('5.4: a key set that cannot be read is no forged response, and no forged webhook', async () => {
  spoil = exchange =>
    exchange.request.endpoint === 'keySet' && exchange.response
      ? { ...exchange, response: { ...exchange.response, status: 404 } }
      : exchange
  const shop = merchant({ dialectLines: { webhooks: { signature: 'rfc9421' } } })
  const error = await shop.status('a').catch(caught => caught)
  expect(error).toBeInstanceOf(UnreadableKeySet)
  const header = (name: string) => (name === 'signature-input' ? 'service_sig=();keyid="k";created=1' : undefined)
  expect(await shop.verifyWebhook({ target: '/', header, body: Buffer.from('{}') }, [])).toEqual({
    ok: false,
    message: expect.stringContaining('the key set could not be read'),
  })
  expect(error.message).toMatch(/jwks\.json → 404 in \d+ ms: the key set could not be read, /)
})

test('a redacted exchange holds no access token, one-time code or payment token', async () => {
  const shop = merchant()
  const token = await shop.tokenFor()
  const exchanges = [
    await shop.request('token', { form: shop.tokenForm() }),
    await shop.request('status', { path: { transactionId: 'a' } }),
  ]
  const body = { ...payment(), payerDetails: { payerId: 'p', oneTimeCode: '777123', paymentToken: 'secret-token' } }
  exchanges.push(await shop.request('initiate', { json: body }))
  const shown = exchanges.map(exchange => textOf(redact(exchange))).join('\n')
  for (const secret of [token, '777123', 'secret-token', 'eyJ']) expect(shown).not.toContain(secret)
  expect(shown).toContain('Bearer [hidden, ')
  expect(textOf(exchanges[2] as Exchange)).toContain('777123')
})

const textOf = ({ request, response }: Exchange): string =>
  JSON.stringify([
    request.headers,
    Buffer.from(request.body ?? []).toString(),
    response?.headers,
    response?.body.toString(),
  ])
