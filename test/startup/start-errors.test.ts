import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import {
  canMount,
  dropCapabilities,
  limitFileSize,
  limitOpenFiles,
  mountTmpfs,
} from '../support/limit-process-resources.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { spawnServe, startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris, merchantWith, startScopedSimulator } from '../support/test-scoped-simulator.ts'

vi.setConfig({ testTimeout: 90_000 })

type Through = (folder: string) => readonly string[]
type Trouble = readonly [what: string, folder: () => Promise<string>, sentence: string, through?: Through]

/** Creates a data folder with a simulator, stops it and damages the folder. */
const usedFolder = async (spoil: (folder: string) => unknown = () => undefined): Promise<string> => {
  const { dataDir, stop } = await startScopedSimulator()
  await stop()
  spoil(dataDir)
  return dataDir
}

const inDatabase = (change: (database: Database.Database) => unknown) => (folder: string) => {
  const database = new Database(join(folder, 'assay.db'))
  change(database)
  database.close()
}

const without = (setting: string) =>
  inDatabase(database => database.prepare('DELETE FROM settings WHERE name = ?').run(setting))
const withSetting = (setting: string, value: string) =>
  inDatabase(database => database.prepare('UPDATE settings SET value = ? WHERE name = ?').run(value, setting))

const inWay = (folder: string) => {
  rmSync(join(folder, 'kit'), { recursive: true })
  mkdirSync(join(folder, 'kit', 'demo-merchant', 'kit.json'), { recursive: true })
}

const FULL = 'The disk that holds DIR is full: free some space or choose another --data-dir.'
const UNWRITABLE = 'DIR cannot be written: make it a writable folder or choose another --data-dir.'
const CROWDED = 'Too many files are open: raise the limit, as with "ulimit -n 1024", and start again.'
const NO_DATABASE = 'DIR/assay.db is not a readable database: move it away, or choose another --data-dir.'
const NEWER = 'DIR/assay.db was written by a newer Assay: use that version or another --data-dir.'
const UNRELEASED =
  'DIR/assay.db was written by an Assay from before its first release: move it away, or choose another --data-dir.'
const AUTHORITY = 'The certificate authority in DIR'
const KEY_SET = 'The key set of the service in DIR'
const COPY = 'put back a copy of the folder or choose another --data-dir.'

const fresh = async () => temporaryFolder()
const used = (spoil?: (folder: string) => unknown) => () => usedFolder(spoil)
const bound: Through = () => dropCapabilities
const upTo =
  (blocks: number): Through =>
  () =>
    limitFileSize(blocks)
const mounted =
  (options: string): Through =>
  folder =>
    mountTmpfs(folder, options)

// biome-ignore format: a table reads by its columns
const TROUBLES: readonly Trouble[] = [
  ['a disk that takes nothing',         fresh,                                                   FULL,        upTo(0)],
  ['a disk that takes a little',        fresh,                                                   FULL,        upTo(64)],
  ['a disk that takes no more',         used(),                                                  FULL,        upTo(0)],
  ['no permission for the folder',      used(folder => chmodSync(folder, 0o500)),                UNWRITABLE,  bound],
  ['no permission for the database',    used(folder => chmodSync(`${folder}/assay.db`, 0o400)),  UNWRITABLE,  bound],
  ['something in the place of a kit',   used(inWay),                                             UNWRITABLE],
  ['too many open files',               used(),                                                  CROWDED,     () => limitOpenFiles(26)],
  ['a file that is no database',        used(folder => writeFileSync(`${folder}/assay.db`, 'this is no database, '.repeat(400))), NO_DATABASE],
  ['a database that was cut short',     used(folder => truncateSync(`${folder}/assay.db`, 9_000)), NO_DATABASE],
  ['a database of a newer Assay',       used(inDatabase(database => database.pragma('user_version = 99'))), NEWER],
  ['a database of an unreleased build', used(inDatabase(database => database.pragma('user_version = 12'))), UNRELEASED],
  ['no certificate authority',          used(without('authority')),                              `${AUTHORITY} is gone: ${COPY}`],
  ['a damaged certificate authority',   used(withSetting('authority', '{"certificate":"x"}')),   `${AUTHORITY} is damaged: ${COPY}`],
  ['no keys of the service',            used(without('service-keys')),                           `${KEY_SET} is gone: ${COPY}`],
  ['damaged keys of the service',       used(withSetting('service-keys', '[{"keyId"')),          `${KEY_SET} is damaged: ${COPY}`],
]

// biome-ignore format: a table reads by its columns
const OF_MOUNTS: readonly Trouble[] = [
  ['a file system that is full',        fresh,                                                   FULL,        mounted('size=64k')],
  ['a file system that is read-only',   fresh,                                                   UNWRITABLE,  mounted('ro')],
]

describe('a start that fails because of its data folder gives exit code 2 and one sentence with a remedy', () => {
  const drawn = canMount ? [...TROUBLES, ...OF_MOUNTS] : TROUBLES
  const rows = drawn.map(([what, folderOf, sentence, through]) => ({ what, folderOf, sentence, through }))
  test.each(rows.filter(({ through }) => through === undefined))('$what', async ({ folderOf, sentence }) => {
    const folder = await folderOf()
    await expect(startScopedSimulator({ dataDir: folder })).rejects.toThrow(
      new StartError(sentence.replaceAll('DIR', folder)),
    )
  })

  test.each(rows.filter(({ through }) => through !== undefined))('$what', async ({ folderOf, sentence, through }) => {
    const folder = await folderOf()
    const { ended, said } = spawnServe(
      ['--data-dir', folder, '--api-port', '0', '--pages-port', '0'],
      {},
      through?.(folder),
    )
    const code = await ended
    expect({ code, ...said }).toEqual({ code: 2, stdout: '', stderr: `${sentence.replaceAll('DIR', folder)}\n` })
  })

  test('and the next start succeeds when there is space again', async () => {
    const folder = await usedFolder()
    await spawnServe(['--data-dir', folder], {}, limitFileSize(0)).ended
    await initiateIris(merchantWith(readKit((await startServe(folder)).kitFile)))
  })

  test('a database damaged at any position opens, or is refused with a start error', async () => {
    const whole = readFileSync(join(await usedFolder(), 'assay.db'))
    const chance = seededRandom(20)
    for (let round = 0; round < 12; round += 1) {
      const folder = temporaryFolder()
      const from = chance.below(whole.length)
      writeFileSync(join(folder, 'assay.db'), Buffer.from(whole).fill(chance.below(256), from, from + 1_000))
      const fault = await startScopedSimulator({ dataDir: folder }).then(
        ({ stop }) => stop(),
        (error: unknown) => error,
      )
      if (fault !== undefined) expect(fault).toBeInstanceOf(StartError)
    }
  })
})

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

describe.skipIf(postgres === undefined)('a start over PostgreSQL', () => {
  const change = async (store: string, statement: string) => {
    const database = new pg.Client(store)
    await database.connect()
    await database.query(statement)
    await database.end()
  }

  test('fails with a remedy for the database', async () => {
    const store = await createPostgresSchema(postgres?.url ?? '')
    const told = (parts = {}) =>
      startScopedSimulator({ store }, parts).then(
        ({ stop }) => stop(),
        (error: StartError) => error.message,
      )
    expect(await told()).toBeUndefined()
    const farOff = { clock: createClock(() => Date.UTC(2099, 0)) }
    expect(await told(farOff)).toMatch(/ in the database is valid .+: set the clock right or choose another --store\.$/)
    await change(store, "UPDATE settings SET value = '[{' WHERE name = 'service-keys'")
    expect(await told()).toBe(
      'The key set of the service in the database is damaged: put back a copy of the database or choose another --store.',
    )
    await change(store, "DELETE FROM settings WHERE name = 'authority'")
    expect(await told()).toBe(
      'The certificate authority in the database is gone: put back a copy of the database or choose another --store.',
    )
  })
})

describe('a start recreates what it can', () => {
  const spoilKit = (folder: string) => {
    const kit = join(folder, 'kit', 'demo-merchant')
    rmSync(join(kit, 'ca.pem'))
    writeFileSync(join(kit, 'kit.json'), '{"apiBase')
  }

  const spoiled = [
    ['no server certificate', without('server')],
    ['one without a key', withSetting('server', '{"names":[]}')],
    ['one that is no JSON', withSetting('server', 'no JSON')],
    ['files of a kit', spoilKit],
  ] as const

  test.each(spoiled)('%s', async (_, spoil) => {
    const simulator = await startScopedSimulator({ dataDir: await usedFolder(spoil) })
    await initiateIris(merchantWith(readKit(simulator.kitFolder)))
  })
})
