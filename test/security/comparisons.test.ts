import { timingSafeEqual } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { isSignedWith, webhookSignature, writeSecret } from '../../contracts/protocol/webhook-signature.ts'
import { createControlToken } from '../../simulator/control/control-token.ts'
import { linesWith, sources } from '../tidy/sources.ts'

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
const token = createControlToken('the-right-token')
const cookie = token.signIn('the-right-token')?.split(';')[0] ?? ''

test.each([
  ['the right control token', { authorization: 'Bearer the-right-token' }, 'right'],
  ['one that begins like it', { authorization: 'Bearer the-right-tokeN' }, 'wrong'],
  ['a shorter one', { authorization: 'Bearer t' }, 'wrong'],
  ['the right cookie', { cookie }, 'right'],
  ['one that ends otherwise', { cookie: `${cookie.slice(0, -1)}!` }, 'none'],
  ['a longer one', { cookie: `${cookie}${'x'.repeat(900)}` }, 'none'],
])('%s is compared in constant time, whatever its length', (_case, headers, shown) => {
  vi.mocked(timingSafeEqual).mockClear()
  expect(token.shownBy(showing(headers))).toBe(shown)
  expect(compared()).toBe(1)
})

test('so is a token that is typed in', () => {
  expect(token.signIn('another')).toBeUndefined()
  expect(compared()).toBe(1)
})

test('6: so is the signature of a webhook, by every secret and of every one that is sent', () => {
  const [ours, old] = [writeSecret(Buffer.alloc(32, 1)), writeSecret(Buffer.alloc(32, 2))]
  const body = Buffer.from('{}')
  const wrong = `v1,${Buffer.alloc(32, 9).toString('base64')}`
  const told = { id: 'msg', timestamp: '1', body }
  expect(isSignedWith([ours, old], { ...told, signature: `${wrong} ${wrong}` })).toBe(false)
  expect(compared()).toBe(4)
  expect(isSignedWith([ours], { ...told, signature: webhookSignature(ours, 'msg', '1', body) })).toBe(true)
})

test('nothing of the product compares what is called a secret, a token, a proof or an HMAC in another way', () => {
  const product = sources('{contracts,fixtures,hosted-pages,simulator}').filter(
    file => !file.startsWith('contracts/suites/'),
  )
  const careless = linesWith(
    /\b(secret|proof|hmac|expected(Signature|Mac)|controlToken|cookie)\b\s*[!=]==(?!\s*(undefined|null|''))/i,
    product,
  )
  expect(careless).toEqual([])
})
