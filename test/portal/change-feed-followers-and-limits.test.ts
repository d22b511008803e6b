import { expect, test } from 'vitest'
import { createChangeFeed, TOPICS } from '../../simulator/support/change-feed.ts'

const never = new AbortController().signal
const open = (settings: Partial<Parameters<typeof createChangeFeed>[0]> = {}) =>
  createChangeFeed({ first: 100, closing: never, gap: 0, ...settings })
const operator = { audience: 'operators', signal: never } as const

test('a follower is told once of all that changed since it last looked, of its organization only', async () => {
  const feed = open()
  const follower = feed.follow('shop', operator)
  const first = follower.next()
  feed.publish('other', ['calls'])
  feed.publish('shop', ['payments', 'webhooks'])
  expect((await first).value).toEqual({ topics: ['payments', 'webhooks'], position: '101' })
  for (let at = 0; at < 1_000; at += 1) feed.publish('shop', ['calls', 'clock'])
  expect((await follower.next()).value).toEqual({ topics: ['calls', 'clock'], position: '1101' })
})

test('a follower that knows where the organization is misses nothing; from elsewhere everything has changed', async () => {
  const feed = open()
  const since = feed.position('shop')
  feed.publish('shop', ['calls'])
  expect((await feed.follow('shop', { ...operator, since }).next()).value?.topics).toEqual(TOPICS)
  const current = feed.follow('shop', { ...operator, since: feed.position('shop') })
  const next = current.next()
  feed.publish('shop', ['keys'])
  expect((await next).value?.topics).toEqual(['keys'])
})

test('a shopper hears of no other topics than asked for', async () => {
  const feed = open()
  const next = feed.follow('shop', { audience: 'shoppers', topics: ['clock'], signal: never }).next()
  feed.publish('shop', ['calls', 'keys'])
  feed.publish('shop', ['clock'])
  expect((await next).value?.topics).toEqual(['clock'])
})

test('each audience of an organization has its own limit, and who goes makes room', async () => {
  const feed = open({ most: { operators: 1, shoppers: 2 } })
  const going = new AbortController()
  const next = feed.follow('shop', { audience: 'operators', signal: going.signal }).next()
  expect([feed.hasRoom('shop', 'operators'), feed.hasRoom('shop', 'shoppers')]).toEqual([false, true])
  expect(feed.hasRoom('other', 'operators')).toBe(true)
  going.abort()
  expect((await next).done).toBe(true)
  expect(feed.hasRoom('shop', 'operators')).toBe(true)
})

test('what another replica changed is told and not shared again; what this one changed is shared', async () => {
  const feed = open()
  const shared: unknown[] = []
  feed.shareBy((...change) => shared.push(change))
  const next = feed.follow('shop', operator).next()
  feed.receive('shop', ['payments'])
  feed.publish('other', ['calls'])
  expect((await next).value?.topics).toEqual(['payments'])
  expect(shared).toEqual([['other', ['calls']]])
})

test('an idle follower has a heartbeat, and ends when the simulator stops', async () => {
  const closing = new AbortController()
  const follower = open({ closing: closing.signal, heartbeat: 5 }).follow('shop', operator)
  expect((await follower.next()).value).toEqual({ topics: [], position: '100' })
  const last = follower.next()
  closing.abort()
  await last
  expect((await follower.next()).done).toBe(true)
})
