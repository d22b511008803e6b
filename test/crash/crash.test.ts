import { cpSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { initiated, merchantOf, runningSimulator } from '../support/running.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { faultsInBooks } from './books.ts'
import { crash } from './rounds.ts'

test('I3, R4, 6, D-101: kill -9 at three moments under load loses nothing; npm run crash does it a hundred times', async () => {
  const report = await crash({ times: 3, seed: Number(process.env.ASSAY_LOT ?? 1), folder: temporaryFolder() })
  expect(report.problems).toEqual([])
  expect(report.kills).toEqual({ load: 2, drain: 1, start: 0 })
  expect(report.replayed).toBe(report.calls)
  expect(report.calls).toBeGreaterThan(5)
}, 120_000)

describe('the proof sees', () => {
  const broken = async (...changes: string[]): Promise<string[]> => {
    const { dataDir, stop, ...rest } = await runningSimulator()
    await initiated(merchantOf({ dataDir, stop, ...rest }))
    await stop()
    const file = join(temporaryFolder(), 'assay.db')
    cpSync(join(dataDir, 'assay.db'), file)
    expect(faultsInBooks(file)).toEqual([])
    const database = new Database(file)
    for (const change of changes) database.exec(change)
    database.close()
    return faultsInBooks(file).map(fault => fault.split(':')[0] ?? '')
  }

  test.each([
    ['a job that was lost', 'DELETE FROM jobs', 'a payment that awaits its shopper has no end of the window'],
    ['a notification that was lost', 'DELETE FROM notifications', 'an event is told not at all, or twice'],
    [
      'money that nobody moved',
      `INSERT INTO postings (organization_id, account_id, transaction_id, kind, movement_id, client_transaction_id,
        amount, currency, at) SELECT organization_id, 'a', transaction_id, 'capture', 'm', 'c', 1, 'EUR', 0 FROM payments`,
      'a payment and its postings tell other sums',
    ],
  ])('%s', async (_, change, rule) => {
    expect(await broken(change)).toContain(rule)
  })
})
