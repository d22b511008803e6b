import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { StartError } from '../../support/start-error.ts'

const SETTING = 'acknowledged-writes'
/** Characters of the number in the mark, so that each one overwrites the last. */
const WIDTH = 16

/**
 * Opens the count of acknowledged writes by which a start detects that the SQLite database has lost some. The count is
 * in the database, as the last part of each write, and in a mark beside it, before a write is acknowledged. The
 * database lies behind its mark only if its log was cut or deleted, or an older copy put in its place; then this
 * throws StartError, unless the loss is accepted.
 */
export const openAcknowledgedWrites = (database: Database, isLossAccepted: boolean) => {
  const file = `${database.name}-mark`
  const saved = database.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?').get(SETTING)
  const save = database.prepare<[string, string]>('INSERT OR REPLACE INTO settings VALUES (?, ?)')
  let [count, counted] = [Number(saved?.value ?? 0), Number(saved?.value ?? 0)]
  const mark = readMark(file)
  const promised = mark ?? 0
  if (promised > count && !isLossAccepted) {
    const last = statSync(file).mtime.toISOString()
    throw new StartError(
      `${database.name} has ${count} of the ${promised} writes that were acknowledged, the last at ${last}; its log was cut or deleted, or the file is an older copy: put the whole folder back as it was, or start with --accept-loss to go on without ${count + 1 === promised ? 'that one' : `those ${promised - count}`}.`,
    )
  }
  closeSync(openSync(file, 'a', 0o600))
  const descriptor = openSync(file, 'r+')
  const write = (): void => {
    count = counted
    writeSync(descriptor, `${String(count).padStart(WIDTH)}\n`, 0)
  }
  let isClosed = false
  write()
  const acknowledge = (): void => {
    try {
      if (counted > count && !isClosed) write()
    } catch {
      // The write is saved, and only not promised.
    }
  }
  return {
    /** Counts a write in the database; it counts once `acknowledge` follows its commit. */
    count: (): void => {
      save.run(SETTING, String(count + 1))
      counted = count + 1
    },
    /** Whether nobody can tell if acknowledged writes are missing, as after a power cut that emptied the mark. */
    isMarkUnreadable: mark === undefined,
    /** Marks what was counted as acknowledged. */
    acknowledge,
    close: (): void => {
      if (!isClosed) closeSync(descriptor)
      isClosed = true
    },
  }
}

/**
 * The writes that a mark says were acknowledged: none where there is no mark, as of an earlier version; undefined where
 * it cannot be read.
 */
const readMark = (file: string): number | undefined => {
  try {
    const text = readFileSync(file, 'utf8')
    return /^ *\d+\n$/.test(text) ? Number(text) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
