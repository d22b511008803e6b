import { statSync } from 'node:fs'
import type { Store } from '../port.ts'

/**
 * Throws once the files of a database are no longer where they were opened: what is written into files that were moved
 * or deleted is gone with the process (I3, D-112). SQLite itself asks this, by this code, only where it keeps no WAL.
 */
export const inItsPlace = (file: string): (() => void) => {
  const opened = [file, `${file}-wal`].map(name => [name, inodeOf(name)] as const)
  return () => {
    for (const [name, inode] of opened)
      if (inodeOf(name) !== inode)
        throw Object.assign(new Error(`${name} is no longer there`), { code: 'SQLITE_READONLY_DBMOVED' })
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

type Call = (...values: unknown[]) => unknown

/** Members of the store that write and are no units of work, by their verbs. */
const WRITES = /^(add|change|clear|deregister|drop|remove|replace|reset|revoke|save|set)[A-Z]|^resend$/

/** A store that checks before it writes; units of work do so where they save. */
export const checkedBy = (check: () => void, store: Store): Store => {
  const checked = (call: Call): Call => {
    return async (...values) => {
      check()
      return call(...values)
    }
  }
  const members = Object.entries(store).map(([name, member]) => [
    name,
    WRITES.test(name) ? checked(member as Call) : member,
  ])
  return Object.fromEntries(members) as Store
}
