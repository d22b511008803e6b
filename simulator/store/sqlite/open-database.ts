import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createPrivateFolder } from '../../support/private-folder.ts'
import { StartError } from '../../support/start-error.ts'
import { toSqliteStartError } from './database-errors.ts'
import { defineHashFunction } from './lookup-hash-column.ts'
import { FIRST_VERSION, MIGRATIONS } from './schema-migrations.ts'

/**
 * Opens and migrates the SQLite database of a data folder, locked for this process alone; the operating system drops
 * the lock when the process ends, however it ends. Throws StartError with one sentence for people.
 */
export const openDatabase = (dataDir: string): Database.Database => {
  const file = join(dataDir, 'assay.db')
  let database: Database.Database | undefined
  try {
    createPrivateFolder(dataDir)
    closeSync(openSync(file, 'a', 0o600)) // SQLite would open a file that it may not write read-only
    database = new Database(file, { timeout: 0 })
    database.pragma('locking_mode = EXCLUSIVE')
    const version = versionOf(database, file)
    chmodSync(file, 0o600)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.pragma('foreign_keys = OFF')
    database.pragma('cache_size = -2048') // in KiB; the page cache of the system holds the rest
    database.pragma('wal_autocheckpoint = 20000') // pages: wal-checkpointer.ts acts before
    migrate(database, version)
    defineHashFunction(database)
    return database
  } catch (error) {
    database?.close()
    throw toSqliteStartError(error, dataDir)
  }
}

const LAST_VERSION = FIRST_VERSION + MIGRATIONS.length - 1

/** Reads the schema version of a file, 0 if new. Throws StartError, changing nothing, if no release wrote it. */
const versionOf = (database: Database.Database, file: string): number =>
  database
    .transaction(() => {
      const version = database.pragma('user_version', { simple: true }) as number
      const tables = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
      const isOurs = version === 0 ? tables.length === 0 : tables.includes('organizations')
      if (!isOurs)
        throw new StartError(`${file} belongs to another program: move it away, or choose another --data-dir.`)
      if (version > 0 && version < FIRST_VERSION)
        throw new StartError(
          `${file} was written by an Assay from before its first release: move it away, or choose another --data-dir.`,
        )
      if (version > LAST_VERSION)
        throw new StartError(`${file} was written by a newer Assay: use that version or another --data-dir.`)
      return version
    })
    .exclusive()

const migrate = (database: Database.Database, version: number): void =>
  database
    .transaction(() => {
      for (const step of MIGRATIONS.slice(version === 0 ? 0 : version - FIRST_VERSION + 1)) database.exec(step)
      database.pragma(`user_version = ${LAST_VERSION}`)
    })
    .exclusive()
