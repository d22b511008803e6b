import { join, relative } from 'node:path'
import { readHealthUrl } from '../../../contracts/client/sandbox-address.ts'
import { StartError } from '../../support/start-error.ts'

type Describe = (dataDir: string) => string

const locked: Describe = dataDir => {
  const url = readHealthUrl(dataDir)?.replace(/\/health$/, '')
  const there = url === undefined ? ': ' : `, at ${url}: use that, `
  return `Another Assay is running on ${dataDir}${there}stop it or choose another --data-dir.`
}
const damaged: Describe = dataDir =>
  `${join(dataDir, 'assay.db')} is not a readable database: move it away, or choose another --data-dir.`
const full: Describe = dataDir =>
  `The disk that holds ${dataDir} is full: free some space or choose another --data-dir.`
const unwritable: Describe = dataDir =>
  `${dataDir} cannot be written: make it a writable folder or choose another --data-dir.`
const failing: Describe = dataDir =>
  `The disk that holds ${dataDir} fails: look at its space, quota and health, or choose another --data-dir.`
const moved: Describe = dataDir =>
  `The database in ${dataDir} was moved or deleted while Assay runs: put it back, or stop Assay and start it again.`

/** Error sentences by code of SQLite or the operating system; extended SQLite codes fall back to their primary code. */
const SENTENCES: Readonly<Record<string, Describe>> = {
  SQLITE_BUSY: locked,
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

/** Describes why a data folder cannot be read or written, in one sentence with its cure; undefined for other errors. */
export const describeSqliteError = (error: unknown, dataDir: string): string | undefined => {
  const { code = '', path = dataDir, syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (relative(dataDir, path).startsWith('..') || syscall === 'connect') return undefined
  const [primaryCode = ''] = /^SQLITE_[A-Z]+/.exec(code) ?? []
  return (SENTENCES[code] ?? SENTENCES[primaryCode])?.(dataDir)
}

/** Converts an error of the data folder to a StartError of one sentence; returns any other error unchanged. */
export const toSqliteStartError = (error: unknown, dataDir: string): unknown => {
  const sentence = describeSqliteError(error, dataDir)
  return sentence === undefined ? error : new StartError(sentence)
}
