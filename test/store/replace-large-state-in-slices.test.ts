import { cpSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { OrganizationState } from '../../simulator/store/organization-state-store.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import type { Store } from '../../simulator/store/store.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

const PAYMENTS = 3_000
const SOME = 900

const addPayments = (store: Store, from: number, count: number): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, (_, at) => writeInUnit(store, { change: change(payment(`t${from + at}`)) }, 'shop')),
  )

const countPayments = async (store: Store): Promise<number> =>
  (await store.paymentCounts('shop', { from: 0, to: 1_000, width: 1_000 })).reduce((sum, { count }) => sum + count, 0)

/** A store in which the shop has a snapshot of some payments, and many more by now. */
const begin = async (folder = temporaryFolder()) => {
  const store = openSqliteStore(folder)
  for (const id of ['shop', 'other']) await store.addOrganization(organization(id))
  await addPayments(store, 0, SOME)
  const state = await store.organizationState('shop')
  await store.saveSnapshot('shop', { name: 'some', takenAt: 0, document: JSON.stringify(state) })
  await addPayments(store, SOME, PAYMENTS - SOME)
  return { store, folder, state }
}

/** Each way to replace the state, and the payments that it leaves. */
const REPLACEMENTS = [
  ['a reset', 0, (store: Store) => store.resetOrganization('shop')],
  ['a removal', 0, (store: Store) => store.removeOrganization('shop')],
  [
    'a restoration',
    SOME,
    (store: Store, state: OrganizationState) =>
      store.replaceOrganizationState('shop', 'some', state, REAL_TIME_SETTING),
  ],
] as const

test.each(REPLACEMENTS)('during %s others are served, and calls of the organization wait', async (_, left, replace) => {
  const { store, state } = await begin()
  let isOver = false
  const replaced = replace(store, state).then(() => {
    isOver = true
  })
  const own = readInUnit(store, { payments: { limit: 9 } }, 'shop').then(() => isOver)
  let served = 0
  for (; !isOver; served += 1)
    await writeInUnit(store, { change: change(payment(`o${served}`, { organizationId: 'other' })) }, 'other')
  expect(served).toBeGreaterThanOrEqual(3)
  await replaced
  expect([await own, await countPayments(store)]).toEqual([true, left])
  await store.close()
})

test.each(REPLACEMENTS)('%s that a crash interrupts is finished at the next start', async (_, left, replace) => {
  const { store, folder, state } = await begin()
  const replaced = replace(store, state)
  const rows = async (at: string) => {
    const copy = temporaryFolder()
    cpSync(at, copy, { recursive: true })
    const opened = openSqliteStore(copy)
    const found = { payments: await countPayments(opened), isThere: (await opened.organization('shop')) !== undefined }
    await opened.close()
    return found
  }
  for (let turns = 0; turns < 40; turns += 1) await setImmediate()
  const interrupted = await rows(folder)
  await replaced
  expect(interrupted).toEqual(await rows(folder))
  expect(interrupted.payments).toBe(left)
  await store.close()
})

test('a snapshot is read while others are served, and is of one moment', async () => {
  const { store } = await begin()
  const reading = store.organizationState('shop')
  const late = addPayments(store, PAYMENTS, 1)
  let served = 0
  let isOver = false
  void reading.then(() => {
    isOver = true
  })
  for (; !isOver; served += 1) await readInUnit(store, { payments: { limit: 9 } }, 'other')
  expect(served).toBeGreaterThanOrEqual(3)
  expect((await reading).tables.payments?.rows).toHaveLength(PAYMENTS)
  await late
  expect(await countPayments(store)).toBe(PAYMENTS + 1)
  await store.close()
})

test('a replacement that fails half-way closes the organization, and no other, until one succeeds', async () => {
  const { store, state } = await begin()
  const table = state.tables.payments ?? { columns: [], rows: [] }
  const broken = { ...table, rows: table.rows.map((row, at) => (at === SOME - 1 ? row.map(() => null) : row)) }
  const tables = { ...state.tables, payments: broken }
  const restore = () => store.replaceOrganizationState('shop', 'some', { ...state, tables }, REAL_TIME_SETTING)
  await expect(restore()).rejects.toThrow(/NOT NULL/)
  await expect(countPayments(store)).rejects.toThrow(/NOT NULL/)
  await expect(store.organizationState('shop')).rejects.toThrow(/NOT NULL/)
  await writeInUnit(store, { change: change(payment('o', { organizationId: 'other' })) }, 'other')
  await store.resetOrganization('shop')
  expect(await countPayments(store)).toBe(0)
  await store.close()
})
