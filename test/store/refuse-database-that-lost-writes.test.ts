import { copyFileSync, cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { main as serve } from '../../simulator/commands/serve.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { openAcknowledgedWrites } from '../../simulator/store/sqlite/detect-lost-acknowledged-writes.ts'
import { createGroupCommit } from '../../simulator/store/sqlite/group-commit.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeInUnit } from './run-unit-of-work.ts'
import { change, payment } from './sample-records.ts'

const UNITS = 20

/** A folder as a killed process leaves it: with a log that holds writes, all of them acknowledged. */
const killedFolder = async () => {
  const [folder, older, killed] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const store = openSqliteStore(folder)
  await store.addPhone('shop', { phoneId: 'p', bankId: 'zuraw' })
  cpSync(folder, older, { recursive: true })
  for (let nth = 0; nth < UNITS; nth += 1) await writeInUnit(store, { change: change(payment(`t-${nth}`)) })
  cpSync(folder, killed, { recursive: true })
  await store.close()
  return { killed, older }
}

const log = (folder: string): string => join(folder, 'assay.db-wal')

// biome-ignore format: a table reads by its columns
const DAMAGES: [string, (killed: string, older: string) => void][] = [
  ['whose log was deleted',              killed => rmSync(log(killed))],
  ['whose log is empty',                 killed => truncateSync(log(killed), 0)],
  ['whose log was cut in the middle',    killed => truncateSync(log(killed), statSync(log(killed)).size / 2)],
  ['whose log lacks its last byte',      killed => truncateSync(log(killed), statSync(log(killed)).size - 1)],
  ['whose log is damaged',               killed => writeFileSync(log(killed), readFileSync(log(killed)).map((byte, at) => (at > 40_000 ? byte ^ 1 : byte)))],
  ['with an older database and log',     (killed, older) => ['assay.db', 'assay.db-wal'].map(name => copyFileSync(join(older, name), join(killed, name)))],
]

test.each(DAMAGES)('a folder %s is refused, with what is missing, until that is accepted', async (_what, damage) => {
  const { killed, older } = await killedFolder()
  damage(killed, older)
  expect(() => openSqliteStore(killed)).toThrow(StartError)
  expect(() => openSqliteStore(killed)).toThrow(
    /assay\.db has \d+ of the 21 writes that were acknowledged, the last at 2\d{3}-.*: put the whole folder back as it was, or start with --accept-loss to go on without (that one|those \d+)\.$/,
  )
  await openSqliteStore(killed, true).close()
  const again = openSqliteStore(killed)
  await writeInUnit(again, { change: change(payment('after')) })
  await again.close()
  await openSqliteStore(killed).close()
})

// biome-ignore format: a table reads by its columns
test.each<[string, (killed: string) => void]>([
  ['of a killed process',                       () => undefined],
  ['of an earlier version, without a mark',     killed => rmSync(join(killed, 'assay.db-mark'))],
  ['whose mark is older than its log',          killed => writeFileSync(join(killed, 'assay.db-mark'), '12\n')],
])('a folder %s is opened, with every write', async (_what, change) => {
  const { killed } = await killedFolder()
  change(killed)
  await openSqliteStore(killed).close()
  expect(statSync(join(killed, 'assay.db-mark')).mode & 0o777).toBe(0o600)
  const database = new Database(join(killed, 'assay.db'), { readonly: true })
  expect(database.prepare('SELECT count(*) AS count FROM payments').get()).toEqual({ count: UNITS })
  database.close()
})

test.each(['', 'no number\n', '12'])('a mark that holds %j is told of at the start', async text => {
  const { killed } = await killedFolder()
  const opened = openSqliteStore(killed)
  expect(opened.notes).toBeUndefined()
  await opened.close()
  writeFileSync(join(killed, 'assay.db-mark'), text)
  const simulator = await startSimulator({ dataDir: killed, apiPort: 0, pagesPort: 0 })
  await simulator.close()
  expect(simulator.notes).toEqual([expect.stringMatching(/assay\.db-mark cannot be read, so nobody can tell/)])
})

test('units that are committed together are acknowledged together, and reads are no writes', async () => {
  const folder = temporaryFolder()
  const store = openSqliteStore(folder)
  const mark = () => Number(readFileSync(join(folder, 'assay.db-mark'), 'utf8'))
  const before = mark()
  await Promise.all(Array.from({ length: 9 }, (_, nth) => writeInUnit(store, { change: change(payment(`t-${nth}`)) })))
  expect(mark()).toBe(before + 1)
  await store.phone('shop', 'p')
  await writeInUnit(store, {})
  expect(mark()).toBe(before + 1)
  await store.close()
})

test('a write that fails as it is committed is not promised by the read after it', async () => {
  const database = new Database(join(temporaryFolder(), 'assay.db'))
  database.exec(
    'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT); CREATE TABLE parents (id INTEGER PRIMARY KEY)',
  )
  database.exec('CREATE TABLE children (id INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)') // as a full disk fails
  const writes = openAcknowledgedWrites(database, false)
  const { transact } = createGroupCommit(database, writes.count, () => undefined, writes.acknowledge)
  const insert = (text: string) => transact(() => ({ result: text, save: () => void database.exec(text) }))
  await insert('INSERT INTO parents VALUES (1)')
  await expect(insert('INSERT INTO children VALUES (2)')).rejects.toThrow('FOREIGN KEY')
  await transact(() => ({ result: 'read' }))
  writes.close()
  const again = openAcknowledgedWrites(database, false)
  again.close()
  database.close()
})

test('assay serve ends with exit code 2 where acknowledged writes are missing', async () => {
  const { killed } = await killedFolder()
  rmSync(log(killed))
  let said = ''
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    said += text
    return true
  })
  const code = await serve(['--data-dir', killed, '--api-port', '0', '--pages-port', '0']).finally(() =>
    spy.mockRestore(),
  )
  expect([code, said]).toEqual([
    2,
    expect.stringMatching(/^(?:Note: .*\n)?\S+assay\.db has 0 of the 21 writes .*\.\n$/),
  ])
})
