import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { hasWord, showsId } from '../../contracts/suites/evidence/shows-id.ts'

const answering = (body: unknown): Exchange => ({
  request: { method: 'GET', url: 'https://localhost/', headers: {} },
  response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})

test('11: an id that a response shows is found as a whole word', () => {
  expect(showsId(answering({ payments: [{ id: '7000000001' }] }), '7000000001')).toBe(true)
  expect(showsId(answering({ id: '0007/42%' }), '0007/42%')).toBe(true)
  expect(showsId(answering({ payments: [{ id: 7_000_000_001 }] }), '7000000001')).toBe(true)
})

test('11: a part of another number is no id', () => {
  expect(showsId(answering({ id: 17_000_000_001 }), '7000000001')).toBe(false)
  expect(hasWord('{"id":170}', '17')).toBe(false)
})

test('11: an id too short to be told from other numbers never counts', () => {
  expect(showsId(answering({ id: '1042', total: 1042 }), '1042')).toBe(false)
})
