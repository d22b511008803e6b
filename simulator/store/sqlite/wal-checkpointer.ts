import { closeSync, fdatasync, openSync } from 'node:fs'
import type { Database } from 'better-sqlite3'

/** Number of writes in the WAL at which a checkpoint starts even while more arrive. */
const MAX_WRITES = 500
/** Number of writes in the WAL at which a checkpoint starts once QUIET_MS milliseconds have passed without a write. */
const MIN_WRITES = 200
const QUIET_MS = 200

/**
 * Creates the checkpointer of the SQLite WAL, which runs outside of commits: when no write has come for a while, or
 * when the WAL has become long. The WAL is synced first, in a worker thread, as that takes most of the time. SQLite
 * itself would checkpoint within a commit (D-112), which costs a tenth of the processor time of a unit of work.
 */
export const createWalCheckpointer = (database: Database) => {
  const wal = openSync(`${database.name}-wal`, 'r')
  let writes = 0
  let isRunning = false
  let isClosed = false

  const end = (): void => {
    isRunning = false
    writes = 0
    try {
      if (isClosed) closeSync(wal)
      else database.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // The WAL stays as it is, and the next write reports the error.
    }
  }
  const begin = (): void => {
    if (isRunning || isClosed) return
    isRunning = true
    fdatasync(wal, end)
  }
  const quiet = setTimeout(() => writes >= MIN_WRITES && begin(), QUIET_MS).unref()

  return {
    /** Counts writes that were committed. */
    saved: (count: number): void => {
      writes += count
      if (writes >= MAX_WRITES) begin()
      quiet.refresh()
    },
    close: (): void => {
      if (isClosed) return
      isClosed = true
      clearTimeout(quiet)
      if (!isRunning) closeSync(wal)
    },
  }
}
