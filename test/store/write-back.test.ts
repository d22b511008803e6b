import { statSync } from 'node:fs'
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

test('D-112: what was committed moves from the log into the database in a quiet moment, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { work, database } = openLogged()
  const before = database()
  await work(300)
  expect(database()).toBe(before)
  vi.advanceTimersByTime(200)
  await vi.waitUntil(() => database() > before + 300 * 100, { timeout: 20_000 })
})

test('D-112: while more and more is committed, the log is written back again and again, and its file used again', async () => {
  const { work, log } = openLogged()
  await work(1_000)
  const long = log()
  await work(2_000)
  expect(log()).toBeLessThan(1.5 * long)
})
