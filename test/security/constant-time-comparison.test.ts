import { timingSafeEqual } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { createWebhookHmac, encodeWebhookSecret, isSignedByAny } from '../../contracts/protocol/webhook-hmac.ts'
import { createControlTokenVerifier } from '../../simulator/control/control-token-verifier.ts'

vi.mock('node:crypto', { spy: true })

beforeEach(() => {
  vi.mocked(timingSafeEqual).mockClear()
})

const compared = (): number => {
  const { calls } = vi.mocked(timingSafeEqual).mock
  for (const [one, other] of calls) expect(one.byteLength).toBe(other.byteLength)
  return calls.length
}

const showing = (headers: Record<string, string>) => ({ req: { header: (name: string) => headers[name] } })
const token = createControlTokenVerifier('the-right-token', async () => undefined)
const cookie = (await token.signIn('the-right-token'))?.split(';')[0] ?? ''

test.each([
  ['the right control token', { authorization: 'Bearer the-right-token' }, 'right'],
  ['one that begins like it', { authorization: 'Bearer the-right-tokeN' }, 'wrong'],
  ['a shorter one', { authorization: 'Bearer t' }, 'wrong'],
  ['the right cookie', { cookie }, 'right'],
  ['one that ends otherwise', { cookie: `${cookie.slice(0, -1)}!` }, 'none'],
  ['a longer one', { cookie: `${cookie}${'x'.repeat(900)}` }, 'none'],
])('the control token is compared in constant time: %s', (_case, headers, shown) => {
  vi.mocked(timingSafeEqual).mockClear()
  expect(token.shownBy(showing(headers))).toBe(shown)
  expect(compared()).toBe(1)
})

test('the token of the sign-in form is compared in constant time', async () => {
  expect(await token.signIn('another')).toBeUndefined()
  expect(compared()).toBe(1)
})

test('6: every webhook signature is compared with every secret in constant time', () => {
  const [ours, old] = [encodeWebhookSecret(Buffer.alloc(32, 1)), encodeWebhookSecret(Buffer.alloc(32, 2))]
  const body = Buffer.from('{}')
  const wrong = `v1,${Buffer.alloc(32, 9).toString('base64')}`
  const told = { id: 'msg', timestamp: '1', body }
  expect(isSignedByAny([ours, old], { ...told, signature: `${wrong} ${wrong}` })).toBe(false)
  expect(compared()).toBe(4)
  expect(isSignedByAny([ours], { ...told, signature: createWebhookHmac(ours, 'msg', '1', body) })).toBe(true)
})
