import { closeSync, fdatasync, openSync } from 'node:fs'
import type { Database } from 'better-sqlite3'

/** Number of writes after which the WAL is synced even while more arrive. */
const WRITES_PER_SYNC = 500
/**
 * Number of pages in the WAL, of 4 KiB, at which a sync is followed by a checkpoint even while more writes arrive. A
 * checkpoint writes each page once, however often it was written meanwhile: at 50 calls at once, a checkpoint after
 * every sync costs a seventh of the rate, and half as much again of the 99th percentile.
 */
const MAX_PAGES = 10_000
/** Number of writes since the last checkpoint at which one starts once QUIET_MS milliseconds have passed without a write. */
const MIN_WRITES = 200
const QUIET_MS = 200

/**
 * Creates the checkpointer of the SQLite WAL, which runs outside of commits: when no write has come for a while, or
 * when the WAL has become long. The WAL is synced first, in a worker thread, as that takes most of the time. SQLite
 * itself would checkpoint within a commit (D-112), which costs a tenth of the processor time of a unit of work.
 */
export const createWalCheckpointer = (database: Database) => {
  const wal = openSync(`${database.name}-wal`, 'r')
  let writesSinceSync = 0
  let writesSinceCheckpoint = 0
  let isRunning = false
  let isClosed = false

  const isLong = (): boolean => {
    const [state] = database.pragma('wal_checkpoint(NOOP)') as { log: number }[]
    return (state?.log ?? 0) >= MAX_PAGES
  }
  const end = (isQuiet: boolean): void => {
    isRunning = false
    try {
      if (isClosed) closeSync(wal)
      else if (isQuiet || isLong()) {
        writesSinceCheckpoint = 0
        database.pragma('wal_checkpoint(PASSIVE)')
      }
    } catch {
      // The WAL stays as it is, and the next write reports the error.
    }
  }
  const begin = (isQuiet: boolean): void => {
    if (isRunning || isClosed) return
    isRunning = true
    writesSinceSync = 0
    fdatasync(wal, () => end(isQuiet))
  }
  const onQuiet = (): void => {
    if (isRunning) quiet.refresh()
    else if (writesSinceCheckpoint >= MIN_WRITES) begin(true)
  }
  const quiet = setTimeout(onQuiet, QUIET_MS).unref()

  return {
    /** Counts writes that were committed. */
    saved: (count: number): void => {
      writesSinceSync += count
      writesSinceCheckpoint += count
      if (writesSinceSync >= WRITES_PER_SYNC) begin(false)
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
