import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createRedactor, MAX_SHOWN_BYTES } from '../../contracts/client/redact-secrets.ts'

const request = { method: 'GET', url: 'https://localhost/', headers: {} }
const exchangeWith = (body: string): Exchange => ({
  request,
  response: { status: 200, headers: {}, body: Buffer.from(body) },
  durationMs: 1,
})
const shown = (exchange: Exchange): string => exchange.response?.body.toString() ?? ''

/** What redacting these exchanges yields, and the seconds that it takes. */
const redacted = (exchanges: readonly Exchange[]) => {
  const startedAt = performance.now()
  const redactor = createRedactor()
  for (const exchange of exchanges) redactor.learn(exchange)
  const texts = exchanges.map(exchange => shown(redactor.exchange(exchange)))
  return { texts, redactor, seconds: (performance.now() - startedAt) / 1000 }
}

const members = (count: number, secretOf: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => `"secret":"${secretOf(index)}"`).join(',')}}`

const delivered = (webhook: object): Exchange => exchangeWith(JSON.stringify({ others: [webhook], ...webhook }))
const CARRIED = 'tok-0123456789abcdef'

// biome-ignore format: a table reads by its columns
const DELIVERED: [string, object, string][] = [
  ['a member of its body',                   { body: JSON.stringify({ payerDetails: { paymentToken: CARRIED } }) },            CARRIED],
  ['a member with blanks around it',         { body: JSON.stringify({ paymentToken: CARRIED }, null, 1) },                     CARRIED],
  ['a member on a line of its own',          { body: `{"paymentToken"\n:\r\n\t"${CARRIED}"}` },                                CARRIED],
  ['a member with quotes and backslashes',   { body: JSON.stringify({ paymentToken: `a"b\\c\n\u0001${CARRIED}` }) },            CARRIED],
  ['a member in digits',                     { body: '{"oneTimeCode":777001}' },                                             '777001'],
  ['a member that is cut off',               { body: `{"paymentToken":"${CARRIED}` },                                          CARRIED],
  ['a bearer token',                         { headers: { authorization: `Bearer ${CARRIED}` } },                              CARRIED],
  ['a password of a proxy',                  { headers: { 'Proxy-Authorization': `Basic ${CARRIED}` } },                       CARRIED],
  ['a cookie',                               { headers: { cookie: `sid=${CARRIED}` } },                                        CARRIED],
  ['a new cookie',                           { headers: { 'set-cookie': `sid=${CARRIED}; Path=/` } },                          CARRIED],
]

test.each(DELIVERED)('6: of a delivered webhook %s is hidden', (_what, webhook, secret) => {
  const [text = ''] = redacted([delivered({ ...webhook, end: 'shown' })]).texts
  expect(text).not.toContain(secret)
  expect(JSON.parse(text)).toMatchObject({ end: 'shown', others: [{ end: 'shown' }] })
})

test('6: what a webhook told is hidden in the exchanges of other calls, and its body stays JSON', () => {
  const body = JSON.stringify({ paymentToken: `"${CARRIED}`, end: 'shown' })
  const { texts } = redacted([
    exchangeWith(`{"message":"Bearer ${CARRIED}"}`),
    delivered({ headers: { authorization: `Bearer ${CARRIED}` }, body }),
  ])
  expect(texts.join()).not.toContain(CARRIED)
  const webhook = JSON.parse(texts[1] ?? '')
  expect(webhook.headers.authorization).toMatch(/^Bearer \[hidden 1, 20 characters\]$/)
  expect(JSON.parse(webhook.body)).toMatchObject({ paymentToken: expect.stringContaining('hidden'), end: 'shown' })
})

// biome-ignore format: a table reads by its columns
const HOSTILE: [string, (nth: number) => string][] = [
  ['20,000 secret members',                     nth => members(20_000, index => `${nth}-${index}-`.padEnd(24, 'x'))],
  ['secrets with a beginning in common',        nth => members(2_000, index => `${'a'.repeat(500)}${nth}${index}`)],
  ['secrets that are the beginning of others',  nth => members(300, index => 'a'.repeat(16 + index + nth))],
  ['a secret of the whole length',              nth => `{"secret":"${'a'.repeat(4_000_000 + nth)}"}`],
  ['a secret that does not end',                nth => `{"secret":"${'a'.repeat(4_000_000 + nth)}`],
  ['escaped quotes',                            () => `{"secret":"${'\\"'.repeat(2_000_000)}"}`],
  ['escaped secrets that do not end',           () => `{"body":"{\\"secret\\":\\"${'\\\\\\"'.repeat(1_000_000)}`],
  ['backslashes alone',                         () => `{"body":"${'\\'.repeat(4_000_000)}"}`],
  ['escaped blanks after the names of secrets', () => '\\"d\\"\\n\\n\\n'.repeat(400_000)],
  ['blanks after the names of secrets',         () => '"d"        '.repeat(400_000)],
  ['private keys that do not end',              () => '-----BEGIN PRIVATE KEY-----'.repeat(100_000)],
]

test.each(HOSTILE)('redacting a run of answers with %s takes time in proportion to them', (_what, bodyOf) => {
  const bodies = Array.from({ length: 20 }, (_, nth) => exchangeWith(bodyOf(nth)))
  const { texts, seconds } = redacted(bodies)
  expect(seconds).toBeLessThan(5)
  for (const text of texts) expect(text).not.toMatch(/"secret":"(?!\[hidden)/)
  expect(Math.max(...texts.map(text => text.length))).toBeLessThan(3 * MAX_SHOWN_BYTES)
})

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl'

test('what was sent is hidden wherever a hostile answer repeats it, whatever the others name', () => {
  const sent: Exchange = {
    request: { ...request, headers: { authorization: `Bearer ${TOKEN}` } },
    response: { status: 200, headers: { 'x-echo': `a${TOKEN}b` }, body: Buffer.from(`you sent ${TOKEN}${TOKEN}.`) },
    durationMs: 1,
  }
  const flood = Array.from({ length: 50 }, (_, nth) =>
    exchangeWith(members(2_000, index => `${nth}-${index}`.padEnd(24, 'x'))),
  )
  const { redactor } = redacted([...flood, sent])
  const { request: hidden, response } = redactor.exchange(sent)
  expect(JSON.stringify([hidden, response?.headers, shown({ ...sent, ...(response && { response }) })])).not.toContain(
    TOKEN.slice(0, 20),
  )
})

test('secrets that overlap, and one at the cut, leave nothing of either', () => {
  const [one, other] = ['abcdefghijklmnopqrstuvwx', 'qrstuvwxyz0123456789']
  const named = exchangeWith(`{"secret":"${one}","paymentToken":"${other}"}`)
  const both = exchangeWith('abcdefghijklmnopqrstuvwxyz0123456789')
  const cut = exchangeWith(`${'.'.repeat(MAX_SHOWN_BYTES - 20)}${one}`)
  const { texts } = redacted([named, both, cut])
  expect(texts[1]).toMatch(/^\[hidden \d+, \d+ characters\]$/)
  expect(texts[2]).not.toContain('abcdefgh')
})
