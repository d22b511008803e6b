import { statSync } from 'node:fs'
import type { Store } from '../store.ts'
import { WRITING_STORE_METHODS } from '../writing-store-methods.ts'

/**
 * Creates a check that throws once the files of a SQLite database were moved or deleted, as later writes to them are
 * lost with the process (I3, D-112). SQLite itself makes this check, with this error code, only without a WAL.
 */
export const createMovedDatabaseFileCheck = (file: string): (() => void) => {
  const opened = [file, `${file}-wal`].map(name => [name, inodeOf(name)] as const)
  return () => {
    for (const [name, inode] of opened)
      if (inodeOf(name) !== inode)
        throw Object.assign(new Error(`${name} is no longer there`), { code: 'SQLITE_READONLY_DBMOVED' })
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

type Method = (...values: unknown[]) => unknown

/**
 * Wraps a SQLite store so that its writing methods run `check` first and `written` last; units of work do so when they
 * commit.
 */
export const withWriteCheck = (check: () => void, written: () => void, store: Store): Store => {
  const checked = WRITING_STORE_METHODS.map(name => {
    const method = store[name] as Method
    const act: Method = async (...values) => {
      check()
      const result = await method(...values)
      written()
      return result
    }
    return [name, act] as const
  })
  return { ...store, ...Object.fromEntries(checked) }
}
