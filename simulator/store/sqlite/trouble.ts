import { join } from 'node:path'
import { StartError } from '../../start-error.ts'

type Trouble = (dataDir: string) => string

const another: Trouble = dataDir => `Another Assay is running on ${dataDir}: stop it or choose another --data-dir.`
const damaged: Trouble = dataDir =>
  `${join(dataDir, 'assay.db')} is not a readable database: move it away, or choose another --data-dir.`
const full: Trouble = dataDir => `The disk that holds ${dataDir} is full: free some space or choose another --data-dir.`
const unwritable: Trouble = dataDir =>
  `${dataDir} cannot be written: make it a writable folder or choose another --data-dir.`
const failing: Trouble = dataDir =>
  `The disk that holds ${dataDir} fails: look at its space, quota and health, or choose another --data-dir.`
const moved: Trouble = dataDir =>
  `The database in ${dataDir} was moved or deleted while Assay runs: put it back, or stop Assay and start it again.`

/** What SQLite and the operating system call it; a code of several words is looked up by its beginning too. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  SQLITE_BUSY: another,
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  SQLITE_IOERR_SHORT_READ: damaged,
  SQLITE_IOERR: failing,
  EIO: failing,
  SQLITE_FULL: full,
  SQLITE_IOERR_WRITE: full, // a quota, or a limit on the size of files
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  SQLITE_CANTOPEN: unwritable,
  SQLITE_READONLY: unwritable,
  SQLITE_READONLY_DBMOVED: moved,
  SQLITE_PERM: unwritable,
  EACCES: unwritable,
  EROFS: unwritable,
  EPERM: unwritable,
  ENOTDIR: unwritable,
  EISDIR: unwritable,
  EEXIST: unwritable,
  ENOENT: unwritable,
}

/** What keeps a data folder from being read or written, in one sentence with its cure; undefined where it is no such thing. */
export const troubleOf = (error: unknown, dataDir: string): string | undefined => {
  const { code = '', path = dataDir, syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (!path.startsWith(dataDir) || syscall === 'connect') return undefined
  const [beginning = ''] = /^SQLITE_[A-Z]+/.exec(code) ?? []
  return (TROUBLES[code] ?? TROUBLES[beginning])?.(dataDir)
}

/** The same as the end of a start; any other error as it is. */
export const startErrorOf = (error: unknown, dataDir: string): unknown => {
  const trouble = troubleOf(error, dataDir)
  return trouble === undefined ? error : new StartError(trouble)
}
