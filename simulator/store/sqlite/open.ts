import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder } from '../../make-folder.ts'
import { StartError } from '../../start-error.ts'
import { MIGRATIONS } from './schema.ts'
import { startErrorOf } from './trouble.ts'

/**
 * Opens the database of a data folder for this process alone: an exclusive lock that the operating system drops when
 * the process ends, however it ends. Throws StartError with one sentence for people.
 */
export const openDatabase = (dataDir: string): Database.Database => {
  const file = join(dataDir, 'assay.db')
  try {
    makeFolder(dataDir)
    closeSync(openSync(file, 'a', 0o600)) // SQLite would open what it may not write for reading
    chmodSync(file, 0o600)
    const database = new Database(file, { timeout: 0 })
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.pragma('foreign_keys = OFF')
    database.pragma('cache_size = -4096') // kilobytes: the system keeps the rest at hand
    database.pragma('wal_autocheckpoint = 20000') // pages, for what is no unit of work: see write-back.ts
    migrate(database, file)
    return database
  } catch (error) {
    throw startErrorOf(error, dataDir)
  }
}

const migrate = (database: Database.Database, file: string): void => {
  const version = database.pragma('user_version', { simple: true }) as number
  if (version > MIGRATIONS.length)
    throw new StartError(`${file} was written by a newer Assay: use that version or another --data-dir.`)
  database
    .transaction(() => {
      for (const step of MIGRATIONS.slice(version)) database.exec(step)
      database.pragma(`user_version = ${MIGRATIONS.length}`)
    })
    .exclusive()
}
