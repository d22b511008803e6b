import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder } from '../../make-folder.ts'
import { StartError } from '../../start-error.ts'
import { MIGRATIONS } from './schema.ts'

/**
 * Opens the database of a data folder for this process alone: an exclusive lock that the operating system drops when
 * the process ends, however it ends. Throws StartError with one sentence for people.
 */
export const openDatabase = (dataDir: string): Database.Database => {
  const file = join(dataDir, 'assay.db')
  try {
    makeFolder(dataDir)
    const database = new Database(file, { timeout: 0 })
    chmodSync(file, 0o600)
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.pragma('foreign_keys = OFF')
    database.pragma('wal_autocheckpoint = 4000') // pages: hot ones are written back once, not after every hundred payments
    migrate(database, file)
    return database
  } catch (error) {
    throw startError(error, dataDir, file)
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

const startError = (error: unknown, dataDir: string, file: string): unknown => {
  const code = (error as { code?: unknown }).code
  switch (code) {
    case 'SQLITE_BUSY':
    case 'SQLITE_BUSY_RECOVERY':
      return new StartError(`Another Assay is running on ${dataDir}: stop it or choose another --data-dir.`)
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return new StartError(`${file} is not a readable database: move it away, or choose another --data-dir.`)
    case 'SQLITE_FULL':
    case 'ENOSPC':
      return new StartError(`The disk that holds ${dataDir} is full: free some space or choose another --data-dir.`)
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_READONLY_DIRECTORY':
    case 'EACCES':
    case 'EROFS':
    case 'EPERM':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOENT':
      return new StartError(`${dataDir} cannot be written: make it a writable folder or choose another --data-dir.`)
    default:
      return error
  }
}
