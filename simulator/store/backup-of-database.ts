import { closeSync, createReadStream, openSync, type ReadStream, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ControlError } from '../support/control-error.ts'
import type { Store } from './store.ts'

/** A copy of the whole database as a stream, whose file is removed once it is read or given up. */
export type Backup = { stream: ReadStream; bytes: number }

/**
 * Creates the function that copies the SQLite database while it is used: every write that was acknowledged before is in
 * the copy. Throws ControlError for PostgreSQL, which has tools of its own, and while another copy is made or read.
 */
export const createBackup = (store: Pick<Store, 'backup'>, dataDir: string): (() => Promise<Backup>) => {
  const file = join(dataDir, 'assay.db-backup')
  if (store.backup) for (const left of [file, `${file}-journal`]) rmSync(left, { force: true }) // of a sandbox that was killed
  let isBusy = false
  const end = (): void => {
    rmSync(file, { force: true })
    isBusy = false
  }
  return async () => {
    if (!store.backup)
      throw new ControlError('conflict', 'The database is in PostgreSQL: back it up with its tools, such as pg_dump.')
    if (isBusy) throw new ControlError('conflict', 'Another backup is being made: wait until it is complete.')
    isBusy = true
    try {
      closeSync(openSync(file, 'w', 0o600))
      await store.backup(file)
      return { stream: createReadStream(file).on('close', end), bytes: statSync(file).size }
    } catch (error) {
      end()
      throw error
    }
  }
}
