import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createRedactor } from '../../contracts/client/redact-secrets.ts'
import { firstExchangeDifference, requestLines, responseLines } from '../../contracts/harness/report/exchange-diff.ts'
import { exchangeText, exchangeTitle } from '../../contracts/harness/report/exchange-text.ts'
import { redactResults } from '../../contracts/harness/report/run-report.ts'

const POST = { method: 'POST', url: 'https://localhost/payments/capture' }
const AUTHORIZATION = { authorization: 'Bearer [hidden 5, 44 characters]' }

const exchange = (
  request: Partial<Exchange['request']>,
  body: unknown = { transaction_id: 'pay_2wdlawizghip4o37' },
): Exchange => ({
  request: { ...POST, headers: { ...AUTHORIZATION }, body: Buffer.from(JSON.stringify(body)), ...request },
  response: { status: 200, headers: {}, body: Buffer.from('') },
  durationMs: 1,
})
const AUTHORIZATION_LINE = `authorization: ${AUTHORIZATION.authorization}`
const control = exchange({}, { transaction_id: 'pay_7ryaqhwyrais7zr7' })

// biome-ignore format: a table reads by its columns
test.each<[what: string, other: Exchange, there: string | undefined, here: string | undefined]>([
  ['a header that is missing, not an id in the body',   exchange({ headers: {} }),                                                   AUTHORIZATION_LINE, undefined],
  ['another token, where nothing else differs but ids', exchange({ headers: { authorization: 'Bearer [hidden 8, 8 characters]' } }), AUTHORIZATION_LINE, 'authorization: Bearer [hidden 8, 8 characters]'],
  ['a word of the body, not an id before it',           exchange({}, { transaction_id: 'pay_2wdlawizghip4o37', amount: 2 }),         undefined, '"amount": 2'],
])('the first difference between two calls is %s', (_what, other, there, here) => {
  const { left, right } = firstExchangeDifference(control, other) ?? {}
  expect([left?.trim(), right?.trim()]).toEqual([there, here])
})

test('a request line differs as a whole, whatever its method', () => {
  const url = 'https://localhost/payments/1/status'
  const { left, right } = firstExchangeDifference(exchange({ method: 'GET', url }), exchange({})) ?? {}
  expect([left, right]).toEqual([`GET ${url}`, `POST ${POST.url}`])
})

test('texts of a server are shown shortened, whatever their place', () => {
  const long = 'x'.repeat(10_000)
  const headers = { location: long }
  const lengthy: Exchange = {
    request: { ...POST, url: `${POST.url}/${long}`, headers },
    response: { status: 200, headers, body: Buffer.from(JSON.stringify({ code: long })) },
    durationMs: 1,
  }
  const check = { id: 'AAA-01', title: '', clause: '', journey: '', verdict: 'fail', durationMs: 1 } as const
  const said = { reason: long, expected: `no ${long}`, got: long, exchange: lengthy }
  const [shown] = redactResults([{ ...check, ...said, cells: [{ ...said, ...COLUMN }] }], createRedactor())
  const texts = [
    ...requestLines(lengthy),
    ...responseLines(lengthy),
    ...exchangeText(lengthy).split('\n'),
    exchangeTitle(lengthy),
    ...[shown, shown?.cells?.[0]].flatMap(result => [result?.reason, result?.expected, result?.got]),
  ]
  expect(texts.filter(text => text === undefined || text.length > 2100)).toEqual([])
  expect(shown?.got).toMatch(/^x{1000} … \(10000 characters\)$/)
  expect(responseLines(lengthy)).toContainEqual(expect.stringMatching(/^location: x{990} … \(10010 characters\)$/))
})
const COLUMN = { column: 'open', verdict: 'fail', clause: '' } as const
