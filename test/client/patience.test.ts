import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/exchange.ts'
import { patiently, retryAfter, WORTH_RETRYING } from '../../contracts/client/patience.ts'

const answer = (status: number, headers: Record<string, string> = {}): Exchange => ({
  request: { method: 'POST', url: 'https://localhost/x', headers: {} },
  answer: { status, headers, body: Buffer.alloc(0) },
  durationMs: 1,
})

/** What comes of a call whose answers are these, one after the other, and how many were asked for. */
const told = async (...answers: Exchange[]): Promise<[number | undefined, number]> => {
  let sent = 0
  const last = await patiently(WORTH_RETRYING, async () => {
    sent += 1
    return answers[sent - 1] ?? answer(0)
  })
  return [last.answer?.status, sent]
}

const SOON = { 'retry-after': '0' }

test('7.1: 423 and 429 are tried again, twice at most', async () => {
  expect(await told(answer(423), answer(200))).toEqual([200, 2])
  expect(await told(answer(429, SOON), answer(423), answer(200))).toEqual([200, 3])
  expect(await told(answer(423), answer(423), answer(423), answer(200))).toEqual([423, 3])
})

test('7.1: nothing else is, nor a 429 that does not say when, or not soon', async () => {
  for (const status of [200, 400, 409, 422, 500, 502, 504])
    expect(await told(answer(status), answer(200))).toEqual([status, 1])
  expect(await told(answer(429), answer(200))).toEqual([429, 1])
  expect(await told(answer(429, { 'retry-after': '3600' }), answer(200))).toEqual([429, 1])
  const { answer: _, ...gone } = answer(0)
  expect(await told(gone, answer(200))).toEqual([undefined, 1])
})

test('RFC 9110 10.2.3: Retry-After is a delay or a date', () => {
  expect(retryAfter('2')).toBe(2_000)
  expect(retryAfter('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0)
  expect(retryAfter(new Date(Date.now() + 90_000).toUTCString())).toBeGreaterThan(80_000)
  for (const nonsense of ['', 'soon', '-1', '1.5', '2030-01-01']) expect(retryAfter(nonsense)).toBeUndefined()
})
