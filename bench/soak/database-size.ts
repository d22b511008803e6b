import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Size of the database in MB after a WAL checkpoint, and the rows of each table. */
type DatabaseSize = { mb: number; rows: Record<string, number> }

/**
 * Measures the size and the row counts of a soaked database, on a copy with its WAL, since the running process locks
 * the file.
 */
export const databaseSize = (dataDir: string): DatabaseSize => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-soak-copy-'))
  try {
    for (const file of ['assay.db', 'assay.db-wal'])
      if (existsSync(join(dataDir, file))) copyFileSync(join(dataDir, file), join(folder, file))
    const database = new Database(join(folder, 'assay.db'))
    const pages = database.pragma('page_count', { simple: true }) as number
    const bytes = pages * (database.pragma('page_size', { simple: true }) as number)
    const names = database.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const count = (name: string) =>
      database.prepare<[], { rows: number }>(`SELECT COUNT(*) AS rows FROM "${name}"`).get()
    const rows = Object.fromEntries(names.map(({ name }) => [name, count(name)?.rows ?? 0]))
    database.close()
    return { mb: bytes / 2 ** 20, rows }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
