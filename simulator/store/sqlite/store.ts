import type { Database } from 'better-sqlite3'
import type { Payment } from '../../payments/payment.ts'
import type { RecordRow } from '../row-mapping.ts'
import type { Store } from '../store.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { createGroupCommit } from './group-commit.ts'
import { openReadSets } from './load-read-set.ts'
import { createMovedDatabaseFileCheck, withWriteCheck } from './moved-database-file-check.ts'
import { openDatabase } from './open-database.ts'
import { openTables } from './open-table-groups.ts'
import { openOrganizations } from './organizations.ts'
import { openRetention } from './retention.ts'
import { openWriteSets } from './save-write-set.ts'
import { openSchedule } from './scheduled-items-and-clocks.ts'
import { openSnapshots } from './snapshots.ts'
import { createWalCheckpointer } from './wal-checkpointer.ts'

/** Opens the SQLite store of a data folder, for one process. Throws StartError. */
export const openSqliteStore = (dataDir: string): Store => {
  const database = openDatabase(dataDir)
  const checkFiles = createMovedDatabaseFileCheck(database.name)
  const checkpointer = createWalCheckpointer(database)
  const groupCommit = createGroupCommit(database, checkFiles, checkpointer.saved)
  const tables = openTables(database)
  const load = openReadSets(database, tables)
  const save = openWriteSets(database, tables)

  const decide = <Result>(unit: UnitOfWork<Result>) => {
    const { result, save: changes = {} } = unit.decide(load(unit))
    const isRead = Object.values(changes).every(change => change === undefined)
    return { result, save: isRead ? undefined : () => save(unit.organizationId, changes) }
  }

  const checkAndCount = (): void => {
    checkFiles()
    checkpointer.saved(1)
  }

  return withWriteCheck(checkAndCount, {
    transact: unit => groupCommit.transact(() => decide(unit)),
    ...tables.jobs.port,
    ...openOrganizations(database, tables),
    ...tables.certificatesAndKeys.port,
    ...tables.mandates.port,
    ...tables.faults.port,
    ...tables.mocks.port,
    ...tables.webhooks.port,
    ...tables.activities.port,
    ...openSchedule(database),
    ...tables.state.port,
    ...openSnapshots(database),
    ...tables.phones.port,
    ...openRetention(database),
    ...openSettings(database),
    close: async () => {
      groupCommit.flush()
      checkpointer.close()
      database.close()
    },
  })
}

const openSettings = (database: Database): Pick<Store, 'setting' | 'saveSetting' | 'paymentByRedirect'> => {
  const one = database.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?')
  const save = database.prepare<[string, string]>('INSERT OR REPLACE INTO settings VALUES (?, ?)')
  const byRedirect = database.prepare<[string], RecordRow>('SELECT record FROM payments WHERE redirect_id = ?')
  return {
    setting: async name => one.get(name)?.value,
    saveSetting: async (name, value) => void save.run(name, value),
    paymentByRedirect: async redirectId => {
      const row = byRedirect.get(redirectId)
      return row && (JSON.parse(row.record) as Payment)
    },
  }
}
