import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { createFolder } from '../../create-folder.ts'
import { UnsafeError } from '../run/command-errors.ts'
import { orUsageError } from './read-and-write-text-files.ts'

/** Name of the empty file that is locked while a command works in its report folder. */
const LOCK_FILE = '.lock'

/**
 * Runs `act` while no other command works in a report folder, which is created where it is missing; without a folder just
 * runs it. Throws an UnsafeError where another command works there, and a UsageError where nothing can be written.
 */
export const inReportFolder = async <Value>(folder: string | undefined, act: () => Promise<Value>): Promise<Value> => {
  if (folder === undefined) return act()
  orUsageError(folder, 'written', () => createFolder(folder))
  return inExistingReportFolder(folder, act)
}

/** Does as `inReportFolder`, but creates no folder: where there is none, `act` says what cannot be read. */
export const inExistingReportFolder = async <Value>(folder: string, act: () => Promise<Value>): Promise<Value> => {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return act()
  const unlock = await lock(folder)
  try {
    return await act()
  } finally {
    unlock()
  }
}

/** Locks by SQLite: the operating system drops such a lock when the process ends, however it ends. */
const lock = async (folder: string): Promise<() => void> => {
  const { default: open } = await import('better-sqlite3')
  const file = join(folder, LOCK_FILE)
  for (;;) {
    // SQLite says of no file why it cannot be made; one that is there would lose a lock of this process when closed here.
    if (!existsSync(file)) orUsageError(folder, 'written', () => closeSync(openSync(file, 'a')))
    const before = identityOf(file)
    const isReplaced = () => before === undefined || before !== identityOf(file) // who had the lock has removed it
    const database = orUsageError(folder, 'written', () => tryToLock(() => open(file, { timeout: 0 }), isReplaced))
    if (database === 'taken')
      throw new UnsafeError(
        `Another command of assay works in ${folder}, and two would spoil its files: wait until it has ended, or stop it.`,
      )
    if (database) return () => unlock(file, database)
  }
}

/** The inode alone may be given to the next file at once. */
const identityOf = (file: string): string | undefined => {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.ctimeMs}`
}

/** Undefined where the file was replaced meanwhile, of which SQLite may also tell as an error of the disk. */
const tryToLock = (open: () => Database, isReplaced: () => boolean): Database | 'taken' | undefined => {
  let database: Database | undefined
  try {
    database = open()
    database.exec('BEGIN EXCLUSIVE')
    if (!isReplaced()) return database
    database.close()
  } catch (error) {
    database?.close()
    if ((error as NodeJS.ErrnoException).code === 'SQLITE_BUSY') return 'taken'
    if (!isReplaced()) throw error
  }
  return undefined
}

const unlock = (file: string, database: Database): void => {
  try {
    rmSync(file)
  } catch {} // an empty file that stays locks nothing
  database.close()
}
