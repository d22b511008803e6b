import { expect, test } from 'vitest'
import { createCallSharing } from '../../simulator/store/postgres/journal-sharing.ts'
import type { ListenNotifyConnection } from '../../simulator/store/postgres/listen-notify-connection.ts'
import type { Pool } from '../../simulator/store/postgres/pool.ts'
import type { SharedCall } from '../../simulator/store/replica-coordination-store.ts'
import { pollUntil } from '../support/poll-until.ts'

const rowOf = (organizationId: string, position = 1) => ({
  position,
  organization_id: organizationId,
  journal_entry: organizationId,
  request_body: null,
})

/** The texts in a parameter that is an array of them in PostgreSQL's binary format. */
const textsIn = (array: unknown): string[] => {
  const texts: string[] = []
  for (let at = 20; array instanceof Buffer && at < array.length; at += 4 + array.readInt32BE(at))
    texts.push(array.toString('utf8', at + 4, at + 4 + array.readInt32BE(at)))
  return texts
}

/** Begins the sharing over a database that answers when the test says so; `statements` are those under way. */
const begin = () => {
  const statements: { shared: string[]; answer: (rows: object[]) => void }[] = []
  const pool = {
    rows: ({ values }: { values: unknown[] }) =>
      new Promise(answer => statements.push({ shared: textsIn(values[2]), answer })),
    run: async () => 0,
  }
  let tell: (text: string) => void = () => undefined
  const listener = {
    listen: async (_channel: string, told: typeof tell) => {
      tell = told
    },
    notify: async () => undefined,
  }
  const { shareCalls, forgetCalls } = createCallSharing(
    pool as unknown as Pool,
    listener as unknown as ListenNotifyConnection,
    { self: 'me', channel: 'calls' },
  )
  const heard: string[] = []
  const next = async () => {
    await pollUntil(
      () => statements.length,
      count => count > 0,
    )
    return statements.shift() as (typeof statements)[number]
  }
  const opening = shareCalls(9, ({ journalEntry }: SharedCall) => heard.push(journalEntry))
  return { opening, statements, forgetCalls, heard, next, tell: (text: object) => tell(JSON.stringify(text)) }
}

/** Opens the sharing where no calls are kept. */
const open = async () => {
  const begun = begin()
  ;(await begun.next()).answer([])
  return { ...begun, share: await begun.opening }
}

const call = (organizationId: string, journalEntry = organizationId): SharedCall => ({ organizationId, journalEntry })

test('a replica that starts reads many kept calls in several parts, and those of which it is told meanwhile after them, once', async () => {
  const { opening, statements, heard, next, tell } = begin()
  const all = Array.from({ length: 600 }, (_, at) => rowOf(`call ${at + 1}`, at + 1))
  const wanted = await next()
  tell({ self: 'another', first: 600, last: 601 })
  wanted.answer(all.map(({ position }) => ({ position })))
  ;(await next()).answer(all.slice(0, 500))
  const second = await next()
  expect(statements).toHaveLength(0)
  second.answer(all.slice(500))
  await opening
  ;(await next()).answer([all[599] as object, rowOf('call 601', 601)])
  await pollUntil(
    () => heard.length,
    count => count > 600,
  )
  expect(heard).toEqual(Array.from({ length: 601 }, (_, at) => `call ${at + 1}`))
})

test('what an organization has waiting is shared no more once that is reset, what comes after it is', async () => {
  const { share, forgetCalls, next } = await open()
  for (const one of [call('shop', 'before'), call('other', 'of another')]) share(one)
  await forgetCalls('shop')
  share(call('shop', 'after'))
  expect((await next()).shared).toEqual(['of another', 'after'])
})

test('a reset waits until what is being shared is written, so that it can be deleted', async () => {
  const { share, forgetCalls, next } = await open()
  share(call('shop'))
  const { answer } = await next()
  let isForgotten = false
  const forgotten = forgetCalls('shop').then(() => {
    isForgotten = true
  })
  await new Promise(setImmediate)
  expect(isForgotten).toBe(false)
  answer([{ first: 1, last: 1 }])
  await forgotten
})

test('calls that arrive during a write wait for those that come soon after, as each write is read by every replica', async () => {
  const { share, next } = await open()
  share(call('shop', 'first'))
  const { answer } = await next()
  share(call('shop', 'during the write'))
  answer([{ first: 1, last: 1 }])
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
  share(call('shop', 'soon after'))
  expect((await next()).shared).toEqual(['during the write', 'soon after'])
})

test('a call that is being read while its organization is reset is not added', async () => {
  const { forgetCalls, heard, next, tell } = await open()
  tell({ self: 'another', first: 1, last: 2 })
  const { answer } = await next()
  await forgetCalls('shop')
  answer([rowOf('shop'), rowOf('other')])
  await pollUntil(
    () => heard.length,
    count => count > 0,
  )
  expect(heard).toEqual(['other'])
})

test('the calls that wait while the database is away are the newest two thousand', async () => {
  const { share, next } = await open()
  for (let at = 0; at < 3_000; at += 1) share(call('shop', String(at)))
  const written: string[] = []
  while (written.length < 2_000) {
    const { shared, answer } = await next()
    written.push(...shared)
    answer([{ first: 1, last: 1 }])
  }
  expect([written[0], written.at(-1), written.length]).toEqual(['1000', '2999', 2_000])
})
