import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { firstExchangeDifference } from '../../contracts/harness/report/exchange-diff.ts'

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
