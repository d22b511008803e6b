import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { describeSqliteError } from '../../simulator/store/sqlite/database-errors.ts'
import { FIRST_VERSION } from '../../simulator/store/sqlite/schema-migrations.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { nextDue, readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

/** Opens the store in a folder; returns the message of its start error, or 'it opened'. */
const refusalOf = (folder: string): string => {
  try {
    openSqliteStore(folder).close()
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return 'it opened'
}

const ONE_SENTENCE = /^[^\n]+: [^\n]+\.$/

test('opening a folder that is open is refused; it opens after the first was closed', async () => {
  const folder = temporaryFolder()
  const first = openSqliteStore(folder)
  expect(refusalOf(folder)).toBe(`Another Assay is running on ${folder}: stop it or choose another --data-dir.`)
  await first.close()
  expect(refusalOf(folder)).toBe('it opened')
})

test('a missing folder is created with mode 0700', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const store = openSqliteStore(folder)
  await store.close()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a file that is not a database is refused by name and not changed', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'assay.db')
  writeFileSync(file, 'this is no database, '.repeat(400))
  expect(refusalOf(folder)).toMatch(ONE_SENTENCE)
  expect(refusalOf(folder)).toBe(`${file} is not a readable database: move it away, or choose another --data-dir.`)
  expect(readFileSync(file, 'utf8')).toMatch(/^this is no database/)
})

test('a truncated database is refused', async () => {
  const folder = temporaryFolder()
  await openSqliteStore(folder).close()
  truncateSync(join(folder, 'assay.db'), 5_000)
  expect(refusalOf(folder)).toMatch(/is not a readable database/)
})

test('a folder that cannot be created because a file exists is refused by name', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  for (const path of [join(folder, 'file'), join(folder, 'file', 'below')])
    expect(refusalOf(path)).toBe(`${path} cannot be written: make it a writable folder or choose another --data-dir.`)
})

test('a folder in the place of the database is refused', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'assay.db'))
  expect(refusalOf(folder)).toMatch(/cannot be written: make it a writable folder/)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['of the first build',             1],
  ['of the last before the release', FIRST_VERSION - 1],
])('a database %s is refused by name, with its cure, and not changed', (_, version) => {
  const folder = temporaryFolder()
  const file = join(folder, 'assay.db')
  const older = new Database(file)
  older.exec(`CREATE TABLE organizations (organization_id TEXT PRIMARY KEY); PRAGMA user_version = ${version}`)
  older.close()
  const before = readFileSync(file)
  expect(refusalOf(folder)).toBe(
    `${file} was written by an Assay from before its first release: move it away, or choose another --data-dir.`,
  )
  expect(readFileSync(file)).toEqual(before)
})

test('a database of a newer version is refused', async () => {
  const folder = temporaryFolder()
  await openSqliteStore(folder).close()
  const newer = new Database(join(folder, 'assay.db'))
  newer.pragma('user_version = 99')
  newer.close()
  expect(refusalOf(folder)).toMatch(/was written by a newer Assay: use that version or another --data-dir\.$/)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['with user_version 0',         0],
  ['with our current version',    FIRST_VERSION],
  ['with an older version',       1],
  ['with a newer version',        99],
])('a database of another program, %s, is refused by name and not changed', (_, version) => {
  const folder = temporaryFolder()
  const file = join(folder, 'assay.db')
  const other = new Database(file)
  other.exec(`CREATE TABLE cookies (name TEXT); INSERT INTO cookies VALUES ('theirs'); PRAGMA user_version = ${version}`)
  other.close()
  const before = readFileSync(file)
  expect(refusalOf(folder)).toBe(`${file} belongs to another program: move it away, or choose another --data-dir.`)
  expect(readFileSync(file)).toEqual(before)
})

test('an empty file is opened as a new database', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'assay.db'), '')
  expect(refusalOf(folder)).toBe('it opened')
})

test('I3: an invalid WAL file loses no committed data', async () => {
  const folder = temporaryFolder()
  const store = openSqliteStore(folder)
  await store.addOrganization(organization('shop'))
  await writeInUnit(store, { change: change(payment('t')) })
  await store.close()
  for (const garbage of ['', 'this is no log, '.repeat(9_000)]) {
    writeFileSync(join(folder, 'assay.db-wal'), garbage)
    const again = openSqliteStore(folder)
    expect((await readInUnit(again, { transactionId: 't' })).payment).toEqual(payment('t'))
    await again.close()
  }
})

test('I3: acknowledged changes survive SIGKILL', async () => {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'write-and-wait-process.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(refusalOf(folder)).toMatch(/^Another Assay is running/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const store = openSqliteStore(folder)
  expect((await readInUnit(store, { transactionId: 't' })).payment).toEqual(payment('t'))
  expect(await nextDue(store, 'shop')).toBe(5)
  await store.close()
})

test('R5: payments survive reopening the folder repeatedly', async () => {
  const folder = temporaryFolder()
  for (let round = 0; round < 3; round += 1) {
    const store = openSqliteStore(folder)
    if (round === 0) await store.addOrganization(organization('shop'))
    await writeInUnit(store, { change: change(payment(`t${round}`)) })
    expect((await readInUnit(store, { transactionId: 't0' })).payment).toEqual(payment('t0'))
    await store.close()
  }
})

test.each([
  ['./data', 'data/assay.db', 'data cannot be written'],
  ['data', '/elsewhere/assay.db', undefined],
  ['data', 'data-2/assay.db', undefined],
])('an error of the folder %s at %s is told: %s', (dataDir, path, sentence) => {
  const told = describeSqliteError({ code: 'EACCES', path }, dataDir)
  expect(told?.includes(sentence ?? '-') ?? sentence).toBe(sentence && true)
})
