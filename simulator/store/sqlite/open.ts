import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder } from '../../make-folder.ts'
import { StartError } from '../../start-error.ts'
import { hashingRows } from './hashes.ts'
import { MIGRATIONS } from './schema.ts'
import { startErrorOf } from './trouble.ts'

/**
 * Opens the database of a data folder for this process alone: an exclusive lock that the operating system drops when
 * the process ends, however it ends. Throws StartError with one sentence for people.
 */
export const openDatabase = (dataDir: string): Database.Database => {
  const file = join(dataDir, 'assay.db')
  let database: Database.Database | undefined
  try {
    makeFolder(dataDir)
    closeSync(openSync(file, 'a', 0o600)) // SQLite would open what it may not write for reading
    database = new Database(file, { timeout: 0 })
    database.pragma('locking_mode = EXCLUSIVE')
    const version = versionOf(database, file)
    chmodSync(file, 0o600)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.pragma('foreign_keys = OFF')
    database.pragma('cache_size = -2048') // kilobytes: the system keeps the rest at hand
    database.pragma('wal_autocheckpoint = 20000') // pages: write-back.ts comes before
    migrate(database, version)
    return database
  } catch (error) {
    database?.close()
    throw startErrorOf(error, dataDir)
  }
}

/** How many steps of the schema it has taken. Nothing is done yet to what others wrote, or a newer Assay. */
const versionOf = (database: Database.Database, file: string): number =>
  database
    .transaction(() => {
      const version = database.pragma('user_version', { simple: true }) as number
      const tables = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
      const isOurs = version === 0 ? tables.length === 0 : tables.includes('organizations')
      if (!isOurs)
        throw new StartError(`${file} belongs to another program: move it away, or choose another --data-dir.`)
      if (version > MIGRATIONS.length)
        throw new StartError(`${file} was written by a newer Assay: use that version or another --data-dir.`)
      return version
    })
    .exclusive()

const migrate = (database: Database.Database, version: number): void =>
  database
    .transaction(() => {
      for (const step of MIGRATIONS.slice(version)) database.exec(step)
      hashingRows(database)()
      database.pragma(`user_version = ${MIGRATIONS.length}`)
    })
    .exclusive()
