import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { change, payment, save } from './records.ts'

/** A store of one organization, how large its files are, and units of work one after the other. */
const openLogged = () => {
  const folder = temporaryFolder()
  const store = openSqliteStore(folder)
  onTestFinished(() => store.close())
  const bytes = (name: string) => statSync(join(folder, name)).size
  let number = 0
  const work = async (units: number) => {
    for (const end = number + units; number < end; number += 1)
      await save(store, { change: change(payment(`payment-${number}`)) })
  }
  return { work, database: () => bytes('assay.db'), log: () => bytes('assay.db-wal') }
}

/** No moment is quiet but by the test's own word. */
const withoutQuiet = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('D-112: what was committed moves from the log into the database in a quiet moment, and not before', async () => {
  withoutQuiet()
  const { work, database } = openLogged()
  const before = database()
  await work(300)
  expect(database()).toBe(before)
  vi.advanceTimersByTime(200)
  await vi.waitUntil(() => database() > before + 300 * 100, { timeout: 20_000 })
})

test('D-112: while more and more is committed, the log is written back again and again, and its file used again', async () => {
  withoutQuiet()
  const { work, database, log } = openLogged()
  const lengths: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const before = database()
    await work(1_000)
    while (database() === before) await new Promise(setImmediate)
    lengths.push(log())
  }
  expect(Math.max(...lengths)).toBeLessThan(1.5 * Math.min(...lengths))
})

test('a store may be closed twice, and closes no file of others', async () => {
  const store = openSqliteStore(temporaryFolder())
  await store.close()
  const others = openSync(import.meta.filename, 'r') // it gets the number that was given back
  await store.close()
  expect(fstatSync(others).size).toBeGreaterThan(0)
  closeSync(others)
})
