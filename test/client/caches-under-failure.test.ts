import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createKeySetCache } from '../../contracts/client/service-key-set.ts'
import { createTokenCache } from '../../contracts/client/token-cache.ts'

const DAY = 86_400_000
const jwk = { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }), kid: 'one' }
const responseOf = (status: number, json: object): Exchange => ({
  request: { method: 'GET', url: '', headers: {} },
  response: { status, headers: {}, body: Buffer.from(JSON.stringify(json)) },
  durationMs: 1,
})

const DOWN: readonly [string, () => Promise<Exchange>][] = [
  ['answers 503', async () => responseOf(503, { error: 'away' })],
  ['does not answer', () => Promise.reject(new Error('timeout'))],
]

test.each(DOWN)('5.4: known keys stay while the key set %s, and are read again soon', async (_, down) => {
  let [now, fetches, fetchKeySet] = [0, 0, async () => responseOf(200, { keys: [jwk] })]
  const keysFor = createKeySetCache(
    () => {
      fetches += 1
      return fetchKeySet()
    },
    () => now,
  )
  const named = 'sig1=("@method");keyid="one"'
  expect([...(await keysFor(named)).keys()]).toEqual(['one'])
  now = DAY + 1
  fetchKeySet = down
  expect([...(await keysFor(named)).keys()]).toEqual(['one'])
  await keysFor(named)
  expect(fetches).toBe(2)
  now += 60_001
  await keysFor(named)
  expect(fetches).toBe(3)
})

test('5.4: without any key the failure is told', async () => {
  const keysFor = createKeySetCache(
    () => Promise.reject(new Error('timeout')),
    () => 0,
  )
  await expect(keysFor('sig1=();keyid="one"')).rejects.toThrow('timeout')
})

test.each([
  ['of three minutes', 180, 91_000],
  ['without a lifetime', Number.NaN, undefined],
])('5.3: a token %s is used for many calls', async (_, expiresInSeconds, renewedAt) => {
  let [now, fetches] = [0, 0]
  const fetch = async () => {
    fetches += 1
    return { value: `token-${fetches}`, expiresInSeconds }
  }
  const { tokenFor, forget } = createTokenCache(fetch, () => now)
  for (const _ of [1, 2, 3]) expect(await tokenFor('all')).toBe('token-1')
  now = renewedAt ?? 10 * DAY
  expect(await tokenFor('all')).toBe(renewedAt === undefined ? 'token-1' : 'token-2')
  await forget('all', `token-${fetches}`)
  expect(await tokenFor('all')).toBe(`token-${fetches}`)
  expect(fetches).toBe(renewedAt === undefined ? 2 : 3)
})

test('5.3: callers that come together share one token call, at a renewal too', async () => {
  let [now, fetches] = [0, 0]
  const fetch = async () => {
    fetches += 1
    return { value: `token-${fetches}`, expiresInSeconds: 7200 }
  }
  const { tokenFor } = createTokenCache(fetch, () => now)
  const many = async () => new Set(await Promise.all(Array.from({ length: 50 }, () => tokenFor('all'))))
  expect([...(await many())]).toEqual(['token-1'])
  now = 7_200_000
  expect([...(await many())]).toEqual(['token-2'])
})
