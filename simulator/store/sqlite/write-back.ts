import { closeSync, fdatasync, openSync } from 'node:fs'
import type { Database } from 'better-sqlite3'

/** Units of work and other writes in the log that are written back even while more are coming. */
const MANY = 500
/** So many are worth to be written back when nothing has come for so many milliseconds. */
const SOME = 200
const QUIET = 200

/**
 * Moves the log of changes into the database where nobody has to wait for it: in a quiet moment, or when it has become
 * long. The disk is asked to have the log first, beside the event loop, because that takes most of the time. SQLite
 * itself would do all of it in the middle of a commit (D-112).
 */
export const writeBack = (database: Database) => {
  const log = openSync(`${database.name}-wal`, 'r')
  let units = 0
  let atWork = false
  let closed = false

  const end = (): void => {
    atWork = false
    units = 0
    try {
      if (closed) closeSync(log)
      else database.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // It stays in the log, and whoever writes next is told what is wrong.
    }
  }
  const begin = (): void => {
    if (atWork || closed) return
    atWork = true
    fdatasync(log, end)
  }
  const quiet = setTimeout(() => units >= SOME && begin(), QUIET).unref()

  return {
    /** So many were committed. */
    saved: (count: number): void => {
      units += count
      if (units >= MANY) begin()
      quiet.refresh()
    },
    close: (): void => {
      if (closed) return
      closed = true
      clearTimeout(quiet)
      if (!atWork) closeSync(log)
    },
  }
}
