import { type LookupAddress, lookup } from 'node:dns'
import { isIP } from 'node:net'
import { beforeEach, expect, test, vi } from 'vitest'
import { createAllowedTargets } from '../../simulator/webhooks/allowed-target-addresses.ts'
import { createSendWebhook } from '../../simulator/webhooks/send-webhook.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'

vi.mock('node:dns', { spy: true })

const METADATA = '169.254.169.254'
const never = new AbortController().signal

/** Addresses that the attacker's name server returns, one list per look-up. */
const answers: string[][] = []
let asked = 0

beforeEach(async () => {
  asked = 0
  answers.length = 0
  const real = await vi.importActual<typeof import('node:dns')>('node:dns')
  const says = (name: string, options: object, tell: (error: Error | null, found: unknown) => void) => {
    if (name !== 'shop.example') return real.lookup(name, options, tell)
    asked += 1
    const found = (answers.length > 1 ? answers.shift() : answers[0]) ?? []
    const told: LookupAddress[] = found.map(address => ({ address, family: isIP(address) }))
    tell(null, told)
  }
  vi.mocked(lookup).mockImplementation(says as unknown as typeof lookup)
})

const send = createSendWebhook({ targets: createAllowedTargets(['127.0.0.0/8']), timeoutMilliseconds: 2_000 })
const named = (url: string) => url.replace('127.0.0.1', 'shop.example')

test('a name is resolved once: the checked address is the one that is called', async () => {
  const { url, received } = await openWebhookReceiver()
  answers.push(['127.0.0.1'], [METADATA])
  expect((await send(named(url), {}, '{}', never)).response?.status).toBe(200)
  expect([asked, received.length]).toEqual([1, 1])
})

test('a name is resolved and checked again for each attempt', async () => {
  const { url, received } = await openWebhookReceiver()
  answers.push(['127.0.0.1'], [METADATA])
  await send(named(url), {}, '{}', never)
  expect((await send(named(url), {}, '{}', never)).error).toMatch(/^169\.254\.169\.254 is no public address/)
  expect([asked, received.length]).toEqual([2, 1])
})

test('of several addresses of a name only allowed ones are called', async () => {
  const { url, received } = await openWebhookReceiver()
  answers.push([METADATA, '::ffff:a9fe:a9fe', 'fe80::1', '127.0.0.1'])
  expect((await send(named(url), {}, '{}', never)).response?.status).toBe(200)
  expect(received).toHaveLength(1)
})

test.each([
  METADATA,
  '10.0.0.1',
  '::1',
  '::7f00:1',
  '::ffff:7f00:1',
  'fd00::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '0.0.0.0',
])('a name that resolves to %s is not called unless configured', async address => {
  const closed = createSendWebhook({ targets: createAllowedTargets([]), timeoutMilliseconds: 2_000 })
  answers.push([address])
  expect((await closed('http://shop.example:1/', {}, '{}', never)).error).toMatch(/is no public address/)
})

test.each([301, 302, 303, 307, 308])('a redirect by %i is not followed', async status => {
  const inner = await openWebhookReceiver()
  const outer = await openWebhookReceiver(() => ({ status, headers: { location: inner.url } }))
  answers.push(['127.0.0.1'])
  expect((await send(named(outer.url), {}, '{}', never)).response).toMatchObject({ status })
  expect([outer.received.length, inner.received.length]).toEqual([1, 0])
})
