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
    const before = inodeOf(file)
    const database = orUsageError(folder, 'written', () => open(file, { timeout: 0 }))
    begin(database, folder)
    const unlock = (): void => {
      try {
        rmSync(file)
      } catch {} // it locks nothing
      database.close()
    }
    if (before !== undefined && before === inodeOf(file)) return unlock
    database.close() // who had the lock has removed its file meanwhile
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

const begin = (database: Database, folder: string): void => {
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as NodeJS.ErrnoException).code === 'SQLITE_BUSY')
      throw new UnsafeError(
        `Another command of assay works in ${folder}, and two would spoil its files: wait until it has ended, or stop it.`,
      )
    orUsageError(folder, 'written', () => {
      throw error
    })
  }
}
