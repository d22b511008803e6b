import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSignal } from '../../simulator/support/wake-up-signal.ts'
import { createInboxWaiters } from '../../simulator/webhooks/inbox-waiters.ts'

test('7.1: a failing look ends the calls that wait for news, and of those that have found theirs nothing is left', async () => {
  let isGone = false
  const newest = async () => {
    if (isGone) throw new Error('The database is gone.')
    return 'first'
  }
  const { waiting, news } = createInboxWaiters({
    newsSignal: createSignal(),
    closing: new AbortController().signal,
    newest,
  })
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const waits = waiting('shop', async () => (await news('shop')).come)
  await waiting('shop', () => news('shop')) // finds its message at the first look
  isGone = true
  await expect(waits).rejects.toThrow('The database is gone.')
  await nextTurn()
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
