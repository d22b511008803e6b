import { expect, test } from 'vitest'
import { hashText } from '../../simulator/store/sqlite/lookup-hash-column.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { openTwoOrganizations } from './open-two-organizations.ts'
import { readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

/** Two words with the same hash. */
const WORDS = ['plumless', 'buckeroo'] as const

const begin = async () => (await openTwoOrganizations(openSqliteStore)).store
const remember = (key: string, body: string, expiresAt = 9) => ({
  idempotentReply: { key, fingerprint: 'f', reply: { http: 200, body }, expiresAt },
})

test('I3: two keys with the same hash have their own replies, also when one expires and is reused', async () => {
  expect(hashText('shop', WORDS[0])).toBe(hashText('shop', WORDS[1]))
  const store = await begin()
  const answers = (now: number) =>
    Promise.all(WORDS.map(async key => (await readInUnit(store, { key }, 'shop', now)).idempotentReply?.reply?.body))
  await writeInUnit(store, remember(WORDS[0], '1', 20))
  expect(await answers(0)).toEqual(['1', undefined])
  await writeInUnit(store, remember(WORDS[1], '2'))
  expect(await answers(0)).toEqual(['1', '2'])
  expect(await answers(10)).toEqual(['1', undefined])
  await writeInUnit(store, remember(WORDS[1], '3', 20))
  expect(await answers(10)).toEqual(['1', '3'])
})

test('I3: organizations with the same hash have their own replies under one key', async () => {
  expect(hashText(WORDS[0], 'k')).toBe(hashText(WORDS[1], 'k'))
  const store = await begin()
  for (const id of WORDS) await store.addOrganization(organization(id))
  for (const id of WORDS) await writeInUnit(store, remember('k', id), id)
  for (const id of WORDS) expect((await readInUnit(store, { key: 'k' }, id)).idempotentReply?.reply?.body).toBe(id)
})

test('D-73: a search for one of two references with the same hash finds only its payments', async () => {
  const store = await begin()
  for (const clientTransactionId of WORDS)
    for (const createdAt of [1, 2])
      await writeInUnit(store, {
        change: change(payment(`${clientTransactionId} ${createdAt}`, { clientTransactionId, createdAt })),
      })
  for (const clientTransactionId of WORDS) {
    const { paymentPage: found } = await readInUnit(store, { payments: { clientTransactionId, limit: 9 } })
    const ids = found?.payments.map(({ transactionId }) => transactionId)
    expect(ids).toEqual([`${clientTransactionId} 2`, `${clientTransactionId} 1`])
  }
})

test('8: organization state contains no hash columns, and restored rows are found by their hash', async () => {
  const store = await begin()
  await writeInUnit(store, { change: change(payment('t')), ...remember('k', '{}') })
  const state = await store.organizationState('shop')
  const { clock } = organization('shop')
  for (const { columns } of Object.values(state.tables)) expect(columns).not.toContain('hash')
  await store.resetOrganization('shop')
  expect(await store.validateState('shop', state)).toBeUndefined()
  expect(await store.replaceOrganizationState('shop', 'one', state, clock)).toBe(true)
  const seen = await readInUnit(store, { key: 'k', payments: { clientTransactionId: 'order', limit: 9 } })
  expect([seen.idempotentReply?.reply?.body, seen.paymentPage?.payments]).toEqual(['{}', [payment('t')]])
  expect(await store.organizationState('shop')).toEqual(state)
})
