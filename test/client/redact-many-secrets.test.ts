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

// biome-ignore format: a table reads by its columns
const HOSTILE: [string, (nth: number) => string][] = [
  ['20,000 secret members',                     nth => members(20_000, index => `${nth}-${index}-`.padEnd(24, 'x'))],
  ['secrets with a beginning in common',        nth => members(2_000, index => `${'a'.repeat(500)}${nth}${index}`)],
  ['secrets that are the beginning of others',  nth => members(300, index => 'a'.repeat(16 + index + nth))],
  ['a secret of the whole length',              nth => `{"secret":"${'a'.repeat(4_000_000 + nth)}"}`],
  ['a secret that does not end',                nth => `{"secret":"${'a'.repeat(4_000_000 + nth)}`],
  ['escaped quotes',                            () => `{"secret":"${'\\"'.repeat(2_000_000)}"}`],
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
