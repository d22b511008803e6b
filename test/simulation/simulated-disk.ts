import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { SeededRandom } from '../support/seeded-random.ts'
import { afterPowerCut, type Files, torn } from './crash-images.ts'

/** Moments of a disk at which a machine may crash. */
export type DiskMoment =
  | 'before a commit'
  | 'in the midst of a commit'
  | 'after a commit'
  | 'in the midst of a checkpoint'
  | 'during a sync'

type Parts = {
  random: SeededRandom
  /** Called at each moment; what it throws fails the write. `files` reads what a kill at this moment leaves. */
  onMoment(moment: DiskMoment, files: () => Files): void
  /** Calls a function once a sync is done, in turns or in time. */
  later(done: () => void): void
}

/** One in so many commits is looked at closely enough to be cut in its midst. */
const WATCHED_ONE_IN = 40

/** The disk of a simulated machine: it sees what a store writes in its folder, and knows what of it is synced. */
export type SimulatedDisk = ReturnType<typeof installSimulatedDisk>

/**
 * Installs the simulated disk of a machine: replaces the functions of `node:fs` that the SQLite store calls around
 * each commit, sync and mark, for the files in one folder at a time. The store's own files are on the real disk; what
 * a crash leaves of them is computed from their bytes.
 */
export const installSimulatedDisk = ({ random, onMoment, later }: Parts) => {
  const real = { ...fs }
  const descriptors = new Map<number, string>()
  let [folder, acknowledged, syncedCount] = ['', 0, 0]
  let synced: Files = { database: Buffer.alloc(0), log: Buffer.alloc(0), mark: Buffer.alloc(0) }
  let watched: Buffer | undefined

  const read = (name: string): Buffer => {
    const file = join(folder, name)
    return real.existsSync(file) ? real.readFileSync(file) : Buffer.alloc(0)
  }
  const files = (): Files => ({ database: read('assay.db'), log: read('assay.db-wal'), mark: read('assay.db-mark') })
  const isOurs = (file: unknown, name: string): boolean => folder !== '' && file === join(folder, name)

  const onMark = (text: string): void => {
    const before = watched
    if (before)
      onMoment('in the midst of a commit', () => ({ ...files(), log: torn(before, read('assay.db-wal'), random) }))
    watched = undefined
    onMoment('after a commit', files)
    if (folder === '') return
    acknowledged = Number(text)
    if (random.below(WATCHED_ONE_IN) === 0) watched = read('assay.db-wal')
  }
  const sync = (done: fs.NoParamCallback): void => {
    const from = folder
    onMoment('during a sync', files)
    later(() => {
      if (folder !== from) return
      const before = read('assay.db')
      done(null) // the store checkpoints, by which SQLite syncs both files
      const after = files()
      ;[synced, syncedCount, watched] = [{ ...after, database: before }, acknowledged, undefined]
      if (!before.equals(after.database))
        onMoment('in the midst of a checkpoint', () => ({ ...after, database: torn(before, after.database, random) }))
      if (folder === from) synced = after
    })
  }

  const replaced = {
    openSync: (...given: Parameters<typeof fs.openSync>) => {
      const descriptor = real.openSync(...given)
      descriptors.set(descriptor, String(given[0]))
      return descriptor
    },
    closeSync: (descriptor: number) => {
      descriptors.delete(descriptor)
      real.closeSync(descriptor)
    },
    statSync: (...given: Parameters<typeof fs.statSync>) => {
      if (isOurs(given[0], 'assay.db-wal')) onMoment('before a commit', files)
      return real.statSync(...given)
    },
    writeSync: (...given: [number, string, number]) => {
      if (isOurs(descriptors.get(given[0]), 'assay.db-mark')) onMark(given[1])
      return real.writeSync(...given)
    },
    fdatasync: (descriptor: number, done: fs.NoParamCallback) => {
      if (isOurs(descriptors.get(descriptor), 'assay.db-wal')) sync(done)
      else if (!descriptors.get(descriptor)?.endsWith('assay.db-wal')) real.fdatasync(descriptor, done)
    },
  }
  Object.assign(fs, replaced)
  syncBuiltinESMExports()

  return {
    /**
     * Follows the store that is about to be opened in a folder and has a number of writes. What is there is synced, unless it is
     * what a kill has left.
     */
    follow: (next: string, count: number, isSynced: boolean): void => {
      ;[folder, acknowledged, watched] = [next, count, undefined]
      if (isSynced) [synced, syncedCount] = [files(), count]
    },
    /** Follows no store any more. */
    leave: (): void => {
      folder = ''
    },
    files,
    /** What a power cut leaves, given what a kill at the same moment would have left. */
    afterPowerCut: (left: Files): Files => afterPowerCut(synced, left, random),
    /** Writes that were acknowledged so far, and how many of them were synced. */
    acknowledged: () => acknowledged,
    synced: () => syncedCount,
    uninstall: (): void => {
      Object.assign(fs, Object.fromEntries(Object.keys(replaced).map(name => [name, real[name as keyof typeof real]])))
      syncBuiltinESMExports()
    },
  }
}
