import type { Database } from 'better-sqlite3'
import type { Payment } from '../../payments/payment.ts'
import { createPhoneCodeAndMandateStore } from '../phones-codes-and-mandates.ts'
import type { RecordRow } from '../row-mapping.ts'
import type { Store } from '../store.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { withClosedOrganizations } from './closed-organizations.ts'
import { openAcknowledgedWrites } from './detect-lost-acknowledged-writes.ts'
import { createGroupCommit } from './group-commit.ts'
import { openReadSets } from './load-read-set.ts'
import { createMovedDatabaseFileCheck, withWriteCheck } from './moved-database-file-check.ts'
import { openDatabase } from './open-database.ts'
import { openTables } from './open-table-groups.ts'
import { openOrganizations } from './organizations.ts'
import { openPaymentCountsAndIdSearch } from './payment-counts-and-id-search.ts'
import { openRetention } from './retention.ts'
import { openWriteSets } from './save-write-set.ts'
import { openSchedule } from './scheduled-items-and-clocks.ts'
import { createDb } from './statement-cache.ts'
import { createWalCheckpointer } from './wal-checkpointer.ts'

/** Pages of the database that a backup copies in one turn of the event loop: about 2 ms. */
const BACKUP_PAGES = 500

/** Opens the SQLite store of a data folder, for one process. Throws StartError, also where acknowledged writes are missing. */
export const openSqliteStore = (dataDir: string, isLossAccepted = false): Store => {
  const database = openDatabase(dataDir)
  const writes = orClose(database, () => openAcknowledgedWrites(database, isLossAccepted))
  const checkFiles = createMovedDatabaseFileCheck(database.name)
  const checkpointer = createWalCheckpointer(database)
  const checkAndCountUnits = (): void => {
    checkFiles()
    writes.count()
  }
  const groupCommit = createGroupCommit(database, checkAndCountUnits, checkpointer.saved, writes.acknowledge)
  const tables = openTables(database)
  const db = createDb(database)
  orClose(database, tables.state.finishReplacements)
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

  const written = (): void => {
    try {
      writes.count()
      writes.acknowledge()
    } catch {
      // What was written is saved, and only not counted.
    }
  }

  const store = withWriteCheck(checkAndCount, written, {
    ...(writes.isMarkUnreadable && { notes: [unreadableMark(database.name)] }),
    transact: unit => groupCommit.transact(() => decide(unit)),
    backup: async file => void (await database.backup(file, { progress: () => BACKUP_PAGES })),
    ...tables.jobs.port,
    ...openOrganizations(database, tables),
    ...tables.certificatesAndKeys.port,
    ...tables.faults.port,
    ...tables.mocks.port,
    ...tables.webhooks.port,
    ...tables.activities.port,
    ...openSchedule(database),
    ...openPaymentCountsAndIdSearch(database),
    ...tables.state.port,
    ...tables.snapshots.port,
    ...createPhoneCodeAndMandateStore(db),
    ...openRetention(database),
    ...openSettings(database),
    close: async () => {
      groupCommit.flush()
      checkpointer.close()
      database.close()
      writes.close()
    },
  })
  return withClosedOrganizations(store, { flush: groupCommit.flush, isUnfinished: tables.state.isUnfinished })
}

const unreadableMark = (file: string): string =>
  `${file}-mark cannot be read, so nobody can tell whether acknowledged writes are missing: look whether the newest payments are there.`

/** Does what belongs to opening a database, which is closed again where that fails. */
const orClose = <Result>(database: Database, act: () => Result): Result => {
  try {
    return act()
  } catch (error) {
    database.close()
    throw error
  }
}

const openSettings = (
  database: Database,
): Pick<Store, 'setting' | 'saveSetting' | 'addSetting' | 'paymentByRedirect'> => {
  const add = database.prepare<[string, string]>('INSERT OR IGNORE INTO settings VALUES (?, ?)')
  const one = database.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?')
  const save = database.prepare<[string, string]>('INSERT OR REPLACE INTO settings VALUES (?, ?)')
  const byRedirect = database.prepare<[string], RecordRow>('SELECT record FROM payments WHERE redirect_id = ?')
  return {
    setting: async name => one.get(name)?.value,
    saveSetting: async (name, value) => void save.run(name, value),
    addSetting: async (name, value) => {
      add.run(name, value)
      return one.get(name)?.value ?? value
    },
    paymentByRedirect: async redirectId => {
      const row = byRedirect.get(redirectId)
      return row && (JSON.parse(row.record) as Payment)
    },
  }
}
