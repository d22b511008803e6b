import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { REAL_TIME } from '../../simulator/clock.ts'
import { StartError } from '../../simulator/start-error.ts'
import { MIGRATIONS } from '../../simulator/store/sqlite/schema.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { change, look, organization, payment, save } from './records.ts'

/** The one sentence with which a start fails; anything else that is thrown fails the test. */
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

test('a second open of one folder is told who has it; after the first closed it opens', async () => {
  const folder = temporaryFolder()
  const first = openSqliteStore(folder)
  expect(refusalOf(folder)).toBe(`Another Assay is running on ${folder}: stop it or choose another --data-dir.`)
  await first.close()
  expect(refusalOf(folder)).toBe('it opened')
})

test('a folder that is not there yet is made, for its owner alone', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const store = openSqliteStore(folder)
  await store.close()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a file that is no database is named, and left as it was', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'assay.db')
  writeFileSync(file, 'this is no database, '.repeat(400))
  expect(refusalOf(folder)).toMatch(ONE_SENTENCE)
  expect(refusalOf(folder)).toBe(`${file} is not a readable database: move it away, or choose another --data-dir.`)
  expect(readFileSync(file, 'utf8')).toMatch(/^this is no database/)
})

test('a database that was cut short is named', async () => {
  const folder = temporaryFolder()
  await openSqliteStore(folder).close()
  truncateSync(join(folder, 'assay.db'), 5_000)
  expect(refusalOf(folder)).toMatch(/is not a readable database/)
})

test('a folder that cannot be made, because a file is in its way, is named', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  for (const path of [join(folder, 'file'), join(folder, 'file', 'below')])
    expect(refusalOf(path)).toBe(`${path} cannot be written: make it a writable folder or choose another --data-dir.`)
})

test('a folder in the place of the database is named', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'assay.db'))
  expect(refusalOf(folder)).toMatch(/cannot be written: make it a writable folder/)
})

test('a database of the first Assay is read on: how far a clock was ahead is how it stands', async () => {
  const folder = temporaryFolder()
  const first = new Database(join(folder, 'assay.db'))
  first.exec(MIGRATIONS[0])
  first.exec(`INSERT INTO organizations (organization_id, account_ids, clock_offset, kit, position)
    VALUES ('shop', '[]', 86400000, '{}', 0), ('other', '[]', 0, '{}', 1)`)
  first.pragma('user_version = 1')
  first.close()
  const store = openSqliteStore(folder)
  const clocks = (await store.organizations()).map(({ clock }) => clock)
  expect(clocks).toEqual([{ anchorReal: 0, anchorVirtual: 86_400_000, rate: 1 }, REAL_TIME])
  await store.close()
})

test('I3: a database of before the hashes is read on: its keys answer as they did, its references are found', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'assay.db')
  const older = new Database(file)
  for (const step of MIGRATIONS.slice(0, 11)) older.exec(step)
  older.exec(`INSERT INTO organizations (organization_id, account_ids, kit, position) VALUES ('shop', '[]', '{}', 0);
    INSERT INTO remembered VALUES (7, 'shop', 'k', 'f', 200, '{}', 9), (8, 'shop', 'ą\u{1f986}', 'f', 200, '[]', 9)`)
  const add = older.prepare(`INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id,
    provider_id, status, created_at, record) VALUES (?, 'shop', 'shop-1', ?, 'BLIK', 'PENDING', 1, ?)`)
  for (const id of ['t', 'u']) add.run(id, `order ${id}`, JSON.stringify(payment(id)))
  older.pragma('user_version = 11')
  older.close()
  const store = openSqliteStore(folder)
  const replies = ['k', 'ą\u{1f986}'].map(async key => (await look(store, { key })).remembered?.reply.body)
  expect(await Promise.all(replies)).toEqual(['{}', '[]'])
  const { found } = await look(store, { payments: { clientTransactionId: 'order u', limit: 9 } })
  expect(found?.payments).toEqual([payment('u')])
  await store.close()
  const plain = new Database(file)
  expect(plain.pragma('integrity_check', { simple: true })).toBe('ok')
  plain.close()
})

test('a database of a newer Assay is left alone', async () => {
  const folder = temporaryFolder()
  await openSqliteStore(folder).close()
  const newer = new Database(join(folder, 'assay.db'))
  newer.pragma('user_version = 99')
  newer.close()
  expect(refusalOf(folder)).toMatch(/was written by a newer Assay: use that version or another --data-dir\.$/)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['that has yet to count its steps', 0],
  ['of as many steps as one of ours', MIGRATIONS.length],
  ['of more steps than ours',         99],
])('a database of another program, %s, is named, and left as it was', (_, version) => {
  const folder = temporaryFolder()
  const file = join(folder, 'assay.db')
  const other = new Database(file)
  other.exec(`CREATE TABLE cookies (name TEXT); INSERT INTO cookies VALUES ('theirs'); PRAGMA user_version = ${version}`)
  other.close()
  const before = readFileSync(file)
  expect(refusalOf(folder)).toBe(`${file} belongs to another program: move it away, or choose another --data-dir.`)
  expect(readFileSync(file)).toEqual(before)
})

test('an empty file is a database that nobody has begun', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'assay.db'), '')
  expect(refusalOf(folder)).toBe('it opened')
})

test('I3: garbage in the place of the log of changes takes nothing away', async () => {
  const folder = temporaryFolder()
  const store = openSqliteStore(folder)
  await store.addOrganization(organization('shop'))
  await save(store, { change: change(payment('t')) })
  await store.close()
  for (const garbage of ['', 'this is no log, '.repeat(9_000)]) {
    writeFileSync(join(folder, 'assay.db-wal'), garbage)
    const again = openSqliteStore(folder)
    expect((await look(again, { transactionId: 't' })).payment).toEqual(payment('t'))
    await again.close()
  }
})

test('I3: what was acknowledged survives a process that is killed', async () => {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'write-and-wait.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(refusalOf(folder)).toMatch(/^Another Assay is running/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const store = openSqliteStore(folder)
  expect((await look(store, { transactionId: 't' })).payment).toEqual(payment('t'))
  expect(await store.nextDue('shop')).toBe(5)
  await store.close()
})

test('R5: payments stay as they are when a folder is opened again and again', async () => {
  const folder = temporaryFolder()
  for (let round = 0; round < 3; round += 1) {
    const store = openSqliteStore(folder)
    if (round === 0) await store.addOrganization(organization('shop'))
    await save(store, { change: change(payment(`t${round}`)) })
    expect((await look(store, { transactionId: 't0' })).payment).toEqual(payment('t0'))
    await store.close()
  }
})
