import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { UnreadableKeySet } from '../../contracts/client/call-errors.ts'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createKeySetCache } from '../../contracts/client/service-key-set.ts'
import { createTokenCache } from '../../contracts/client/token-cache.ts'

const DAY = 86_400_000
const inputOf = (keyId: string, label = 'service_sig') => `${label}=("@status");keyid="${keyId}";created=1`
const named = inputOf('one')
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
  await expect(keysFor(named)).rejects.toThrow('timeout')
})

const SILENT: Exchange = {
  request: { method: 'GET', url: 'https://api.example/keys', headers: {} },
  transportError: { code: 'ECONNREFUSED', message: 'refused' },
  durationMs: 1,
}

// biome-ignore format: a table reads by its columns
test.each<[string, Exchange, RegExp]>([
  ['cannot be reached', SILENT,                                         /→ ECONNREFUSED in 1 ms: the key set could not be read/],
  ['is not there',      responseOf(404, { keys: [jwk] }),               /→ 404 in 1 ms: the key set could not be read/],
  ['is moved',          responseOf(302, {}),                            /→ 302 in 1 ms: the key set could not be read/],
  ['has no keys',       responseOf(200, { keys: [] }),                  /→ 200 in 1 ms: the key set holds no EC key/],
  ['has no EC key',     responseOf(200, { keys: [{ kty: 'RSA', kid: 'one' }] }), /holds no EC key/],
])('5.4: a key set that %s is told as that, and asked for again', async (_, failed, why) => {
  let answer = failed
  const keysFor = createKeySetCache(async () => answer, () => 0)
  const error = await keysFor(named).catch(caught => caught)
  expect(error).toBeInstanceOf(UnreadableKeySet)
  expect([error.message, error.exchange]).toEqual([expect.stringMatching(why), failed])
  answer = responseOf(200, { keys: [jwk] })
  expect([...(await keysFor(named)).keys()]).toEqual(['one'])
  answer = failed
  await expect(keysFor(inputOf('two'))).rejects.toThrow(why)
  expect([...(await keysFor(named)).keys()]).toEqual(['one'])
})

test.each([
  ['before', `${inputOf('edge', 'edge')}, ${named}`],
  ['after', `${named}, ${inputOf('edge', 'edge')}`],
  ['that cannot be read', 'service_sig=('],
  ['without a label of ours', inputOf('edge', 'edge')],
])('5.4: the signature of an edge %s causes no fetch of the key set', async (_, header) => {
  const { keysFor, fetched } = countedKeySet()
  await keysFor(named)
  for (const _ of [1, 2, 3]) expect([...(await keysFor(header)).keys()]).toEqual(['one'])
  expect(fetched()).toBe(1)
})

test('5.4: the label of the profile names the key', async () => {
  const { keysFor, fetched } = countedKeySet('answer')
  for (const _ of [1, 2, 3]) await keysFor(`${inputOf('edge')}, ${inputOf('one', 'answer')}`)
  expect(fetched()).toBe(1)
})

/** A cache of the key set, and how often it was fetched. */
const countedKeySet = (label?: string) => {
  let fetches = 0
  const fetch = async () => {
    fetches += 1
    return responseOf(200, { keys: [jwk] })
  }
  return { keysFor: createKeySetCache(fetch, () => 0, label), fetched: () => fetches }
}

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

test('5.3: while a renewal fails the old token is used, asked for once a minute, until it expires', async () => {
  let [now, fetches, isDown] = [0, 0, false]
  const fetch = async () => {
    fetches += 1
    if (isDown) throw new Error('503')
    return { value: `token-${fetches}`, expiresInSeconds: 7200 }
  }
  const { tokenFor, forget } = createTokenCache(fetch, () => now)
  await tokenFor('all')
  isDown = true
  now = 6_901_000
  for (const _ of [1, 2, 3]) expect(await tokenFor('all')).toBe('token-1')
  expect(fetches).toBe(2)
  now += 60_000
  expect(await Promise.all([1, 2, 3].map(() => tokenFor('all')))).toEqual(['token-1', 'token-1', 'token-1'])
  expect(fetches).toBe(3)
  now = 7_199_999
  expect(await tokenFor('all')).toBe('token-1')
  now = 7_200_000
  await expect(tokenFor('all')).rejects.toThrow('503')
  isDown = false
  expect(await tokenFor('all')).toBe('token-6')
  isDown = true
  now += 7_000_000
  await forget('all', 'token-6')
  await expect(tokenFor('all')).rejects.toThrow('503')
})
