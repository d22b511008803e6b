import { expect, test } from 'vitest'
import { openDatabase } from '../../simulator/store/sqlite/open-database.ts'
import { ORGANIZATION_TABLES, TABLES_KEPT_BY_RESET } from '../../simulator/store/tables-emptied-by-reset.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Column = { name: string; type: string; pk: number }
type Reference = { table: string; from: string; to: string | null }

/** Tables of the service itself, without data of organizations. */
const OWN = ['settings']

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
  const listed = [...ORGANIZATION_TABLES.map(([table]) => table), ...TABLES_KEPT_BY_RESET, ...OWN]
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
