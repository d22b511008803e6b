import { expect, test } from 'vitest'
import { hashOf } from '../../simulator/store/sqlite/hashes.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { change, look, organization, payment, save } from './records.ts'
import { twoShops } from './two-shops.ts'

/** Two words of one hash. */
const WORDS = ['plumless', 'buckeroo'] as const

const begin = async () => (await twoShops(openSqliteStore)).store
const remember = (key: string, body: string, expiresAt = 9) => ({
  remember: { key, fingerprint: 'f', reply: { http: 200, body }, expiresAt },
})

test('I3: two keys of one hash answer each for itself, also when one ends and comes again', async () => {
  expect(hashOf('shop', WORDS[0])).toBe(hashOf('shop', WORDS[1]))
  const store = await begin()
  const answers = (now: number) =>
    Promise.all(WORDS.map(async key => (await look(store, { key }, 'shop', now)).remembered?.reply.body))
  await save(store, remember(WORDS[0], '1', 20))
  expect(await answers(0)).toEqual(['1', undefined])
  await save(store, remember(WORDS[1], '2'))
  expect(await answers(0)).toEqual(['1', '2'])
  expect(await answers(10)).toEqual(['1', undefined])
  await save(store, remember(WORDS[1], '3', 20))
  expect(await answers(10)).toEqual(['1', '3'])
})

test('I3: organizations of one hash answer each for itself under one key', async () => {
  expect(hashOf(WORDS[0], 'k')).toBe(hashOf(WORDS[1], 'k'))
  const store = await begin()
  for (const id of WORDS) await store.addOrganization(organization(id))
  for (const id of WORDS) await save(store, remember('k', id), id)
  for (const id of WORDS) expect((await look(store, { key: 'k' }, id)).remembered?.reply.body).toBe(id)
})

test('D-73: a search for one of two references of one hash finds its payments and no others', async () => {
  const store = await begin()
  for (const clientTransactionId of WORDS)
    for (const createdAt of [1, 2])
      await save(store, {
        change: change(payment(`${clientTransactionId} ${createdAt}`, { clientTransactionId, createdAt })),
      })
  for (const clientTransactionId of WORDS) {
    const { found } = await look(store, { payments: { clientTransactionId, limit: 9 } })
    const ids = found?.payments.map(({ transactionId }) => transactionId)
    expect(ids).toEqual([`${clientTransactionId} 2`, `${clientTransactionId} 1`])
  }
})

test('8: a state that is put by tells of no hash, and is found by it when it is back', async () => {
  const store = await begin()
  await save(store, { change: change(payment('t')), ...remember('k', '{}') })
  const life = await store.life('shop')
  const { clock } = organization('shop')
  for (const { columns } of Object.values(life.tables)) expect(columns).not.toContain('hash')
  await store.resetOrganization('shop')
  expect(await store.unfitLife('shop', life)).toBeUndefined()
  expect(await store.replaceLife('shop', life, clock)).toBe(true)
  const seen = await look(store, { key: 'k', payments: { clientTransactionId: 'order', limit: 9 } })
  expect([seen.remembered?.reply.body, seen.found?.payments]).toEqual(['{}', [payment('t')]])
  expect(await store.life('shop')).toEqual(life)
})
