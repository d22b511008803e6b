import { cpSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { runCrashRounds } from './crash-rounds.ts'
import { databaseViolations } from './database-invariants.ts'

test('I3, R4, 6, D-101: kill -9 at three moments under load loses nothing acknowledged', async () => {
  const report = await runCrashRounds({ times: 3, seed: 1, folder: temporaryFolder() })
  expect(report.problems).toEqual([])
  expect(report.kills).toEqual({ load: 2, drain: 1, start: 0 })
  expect(report.replayed).toBe(report.calls)
  expect(report.calls).toBeGreaterThan(5)
}, 120_000)

describe('the database invariants detect', () => {
  const broken = async (...changes: string[]): Promise<string[]> => {
    const { dataDir, stop, ...rest } = await startScopedSimulator()
    await initiateIris(merchantOf({ dataDir, stop, ...rest }))
    await stop()
    const file = join(temporaryFolder(), 'assay.db')
    cpSync(join(dataDir, 'assay.db'), file)
    expect(databaseViolations(file)).toEqual([])
    const database = new Database(file)
    for (const change of changes) database.exec(change)
    database.close()
    return databaseViolations(file).map(fault => fault.split(':')[0] ?? '')
  }

  test.each([
    ['a lost job', 'DELETE FROM jobs', 'a payment that awaits its shopper has no end of the window'],
    ['a lost notification', 'DELETE FROM messages', 'an event has no notification, or two'],
    [
      'an additional ledger entry',
      `INSERT INTO ledger_entries (organization_id, account_id, transaction_id, kind, capture_or_refund_id, client_transaction_id,
        amount, currency, booked_at) SELECT organization_id, 'a', transaction_id, 'capture', 'm', 'c', 1, 'EUR', 0 FROM payments`,
      'a payment and its ledger entries tell other sums',
    ],
  ])('%s', async (_, change, rule) => {
    expect(await broken(change)).toContain(rule)
  })
})
