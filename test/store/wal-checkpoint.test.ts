import fs, { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeInUnit } from './run-unit-of-work.ts'
import { change, payment } from './sample-records.ts'

/** Opens a store with functions that run units of work and return the sizes of the database and the WAL. */
const openLogged = () => {
  const folder = temporaryFolder()
  const store = openSqliteStore(folder)
  onTestFinished(() => store.close())
  const bytes = (name: string) => statSync(join(folder, name)).size
  let number = 0
  const work = async (units: number) => {
    for (const end = number + units; number < end; number += 1)
      await writeInUnit(store, { change: change(payment(`payment-${number}`)) })
  }
  return { work, database: () => bytes('assay.db'), log: () => bytes('assay.db-wal') }
}

/** Fakes timers, so that the store's idle timer fires only when the test advances it. */
const withoutQuiet = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('D-112: the WAL is checkpointed when the store is idle, and not before', async () => {
  withoutQuiet()
  const { work, database } = openLogged()
  const before = database()
  await work(300)
  expect(database()).toBe(before)
  vi.advanceTimersByTime(200)
  await vi.waitUntil(() => database() > before + 300 * 100, { timeout: 20_000 })
})

test('D-112: a quiet moment during a sync leads to a checkpoint after it', async () => {
  withoutQuiet()
  const { fdatasync } = fs
  const replaceSync = (how: unknown) => {
    Object.assign(fs, { fdatasync: how })
    syncBuiltinESMExports()
  }
  const ends: (() => void)[] = []
  replaceSync((_: number, end: () => void) => ends.push(end))
  onTestFinished(() => replaceSync(fdatasync))
  const { work, database } = openLogged()
  const before = database()
  await work(500)
  vi.advanceTimersByTime(200)
  for (const end of ends.splice(0)) end()
  vi.advanceTimersByTime(200)
  for (const end of ends.splice(0)) end()
  expect(database()).toBeGreaterThan(before + 500 * 100)
})

test('D-112: under continuous commits the WAL is checkpointed at 10,000 pages, and does not grow beyond', async () => {
  withoutQuiet()
  const { work, database, log } = openLogged()
  const lengths: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const before = database()
    while (database() === before) await work(100)
    lengths.push(log())
  }
  expect(lengths[0]).toBeGreaterThan(10_000 * 4_096)
  expect(lengths.at(-1)).toBeLessThan(2 * (lengths[0] ?? 0)) // three times as long without checkpoints
})

test('closing a store twice does not close a file descriptor that was reused', async () => {
  const store = openSqliteStore(temporaryFolder())
  await store.close()
  const others = openSync(import.meta.filename, 'r') // it reuses the released file descriptor
  await store.close()
  expect(fstatSync(others).size).toBeGreaterThan(0)
  closeSync(others)
})
