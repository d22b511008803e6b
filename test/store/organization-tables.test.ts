import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { openDatabase } from '../../simulator/store/sqlite/open-database.ts'
import { openOrganizationTables } from '../../simulator/store/sqlite/organization-table-rows.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { IDENTITY_TABLES, ORGANIZATION_TABLES } from '../../simulator/store/tables-emptied-by-reset.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { organization } from './sample-records.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

type Column = { name: string; type: string; pk: number }
type Reference = { table: string; from: string; to: string | null }

/** Tables of the service itself. */
const OWN = ['organizations', 'settings']

const schema = () => {
  const database = openDatabase(temporaryFolder())
  const names = database.prepare<[], { name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
  const tables = names.all().map(({ name }) => ({
    name,
    columns: database.pragma(`table_info(${name})`) as Column[],
    references: database.pragma(`foreign_key_list(${name})`) as Reference[],
  }))
  database.close()
  return tables
}

test('every table is listed as an organization table or as retained', () => {
  const listed = [...ORGANIZATION_TABLES.map(([table]) => table), ...IDENTITY_TABLES, ...OWN]
  const found = schema().map(({ name }) => name)
  expect(
    found.filter(name => !listed.some(one => one === name)),
    'in neither list',
  ).toEqual([])
  expect(listed.sort()).toEqual(found.sort())
})

test('each organization table has its listed owner column and integer key', () => {
  for (const [table, whose, key] of ORGANIZATION_TABLES) {
    const columns = schema().find(({ name }) => name === table)?.columns ?? []
    const integerKeys = columns.filter(({ pk, type }) => pk === 1 && type === 'INTEGER').map(({ name }) => name)
    expect([table, columns.some(({ name }) => name === whose)]).toEqual([table, true])
    expect([table, ...integerKeys]).toEqual(key === undefined ? [table] : [table, key])
  }
})

test('no column refers to an integer key, since a restore assigns new ones', () => {
  const keys = new Set(ORGANIZATION_TABLES.map(([, , key]) => key))
  const referring = schema().flatMap(({ name, columns, references }) => {
    const own = ORGANIZATION_TABLES.find(([table]) => table === name)?.[2]
    const declared = references.filter(({ table, to }) => to === null && table !== 'organizations')
    const named = columns.filter(
      ({ name: column }) => column !== own && column !== 'position' && keys.has(column as never),
    )
    return [...declared.map(({ from }) => from), ...named.map(column => column.name)].map(column => `${name}.${column}`)
  })
  expect(referring).toEqual([])
})

test.skipIf(postgres === undefined)(
  'a state has the same columns in both stores, so that each takes the other',
  async () => {
    const stores = [
      openSqliteStore(temporaryFolder()),
      await openPostgresStore(await createPostgresSchema(postgres?.url ?? '')),
    ] as const
    onTestFinished(async () => void (await Promise.all(stores.map(store => store.close()))))
    for (const store of stores) await store.addOrganization(organization('shop'))
    const [sqlite, inPostgres] = await Promise.all(stores.map(store => store.organizationState('shop')))
    const columnsOf = (state = sqlite) =>
      Object.entries(state?.tables ?? {}).map(([table, { columns }]) => [table, columns.toSorted()])
    expect(columnsOf(inPostgres).sort()).toEqual(columnsOf().sort())
    for (const store of stores)
      for (const state of [sqlite, inPostgres])
        expect(await store.validateState('shop', state ?? { tables: {}, capabilities: {} })).toBeUndefined()
  },
)

test('of a state that is too large no more keys are read than its caller takes rows', async () => {
  const database = openDatabase(temporaryFolder())
  onTestFinished(() => void database.close())
  database.exec(`
    PRAGMA foreign_keys = off;
    INSERT INTO phones (phone_id, organization_id, bank_id)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50000)
    SELECT 'phone-' || n, 'shop', 'b' FROM numbers`)
  let keys = 0
  const counted = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get:
        (_, name) =>
        (...values: unknown[]) => {
          const result = (Reflect.get(target, name) as (...values: unknown[]) => unknown).apply(target, values)
          if (name === 'all' && values.length > 0 && Array.isArray(result)) keys += result.length
          return name === 'prepare' || name === 'raw' ? counted(result as object) : result
        },
    })
  const { read } = openOrganizationTables(counted(database))
  let rows = 0
  const reading = read('shop', found => {
    rows += found.length
    if (rows > 1_000) throw new Error('That is too much.')
  })
  await expect(reading).rejects.toThrow('That is too much.')
  expect(keys).toBeLessThan(20_000)
  keys = 0
  const { phones } = await read('shop')
  expect([phones?.rows.length, new Set(phones?.rows.map(([id]) => id)).size]).toEqual([50_000, 50_000])
})
