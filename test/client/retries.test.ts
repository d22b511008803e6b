import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { BUSY_STATUSES, retryAfterMs, withRetries } from '../../contracts/client/retry-policy.ts'

const answer = (status: number, headers: Record<string, string> = {}): Exchange => ({
  request: { method: 'POST', url: 'https://localhost/x', headers: {} },
  response: { status, headers, body: Buffer.alloc(0) },
  durationMs: 1,
})

/** Makes a call with these responses in turn; returns the outcome and the number of requests. */
const told = async (...answers: Exchange[]): Promise<[number | undefined, number]> => {
  let sent = 0
  const last = await withRetries(BUSY_STATUSES, async () => {
    sent += 1
    return answers[sent - 1] ?? answer(0)
  })
  return [last.response?.status, sent]
}

const SOON = { 'retry-after': '0' }

test('7.1: 423 and 429 are retried at most twice', async () => {
  expect(await told(answer(423), answer(200))).toEqual([200, 2])
  expect(await told(answer(429, SOON), answer(423), answer(200))).toEqual([200, 3])
  expect(await told(answer(423), answer(423), answer(423), answer(200))).toEqual([423, 3])
})

test('7.1: no other status is retried, nor a 429 without Retry-After or with a long one', async () => {
  for (const status of [200, 400, 409, 422, 500, 502, 504])
    expect(await told(answer(status), answer(200))).toEqual([status, 1])
  expect(await told(answer(429), answer(200))).toEqual([429, 1])
  expect(await told(answer(429, { 'retry-after': '3600' }), answer(200))).toEqual([429, 1])
  const { response: _, ...gone } = answer(0)
  expect(await told(gone, answer(200))).toEqual([undefined, 1])
})

test('RFC 9110 10.2.3: Retry-After is a delay or a date', () => {
  expect(retryAfterMs('2')).toBe(2_000)
  expect(retryAfterMs('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0)
  expect(retryAfterMs('Wed, 21 Oct 2015 07:28:00 GMT', Date.parse('2015-10-21T07:27:58Z'))).toBe(2_000)
  expect(retryAfterMs(new Date(Date.now() + 90_000).toUTCString())).toBeGreaterThan(80_000)
  for (const nonsense of ['', 'soon', '-1', '1.5', '2030-01-01']) expect(retryAfterMs(nonsense)).toBeUndefined()
})
