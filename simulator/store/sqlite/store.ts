import type { Database } from 'better-sqlite3'
import { createFaultMockAndDueJobStore } from '../faults-mocks-and-due-jobs.ts'
import { createPhoneCodeAndMandateStore } from '../phones-codes-and-mandates.ts'
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
    ...openOrganizations(database, tables),
    ...tables.certificatesAndKeys.port,
    ...tables.webhooks.port,
    ...createFaultMockAndDueJobStore(db),
    addActivity: async (...activity) => tables.addActivity(...activity),
    ...openSchedule(database),
    ...openPaymentCountsAndIdSearch(database),
    ...tables.state.port,
    ...tables.snapshots.port,
    ...createPhoneCodeAndMandateStore(db),
    ...openRetention(database),
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
