import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { slicesOf } from '../../support/slices-across-event-loop-turns.ts'
import type { Cell, OrganizationState, TableRows } from '../organization-state-store.ts'
import type { TableColumn } from '../snapshot-validation/validate-rows.ts'
import { ORGANIZATION_TABLES, type TableOwner } from '../tables-emptied-by-reset.ts'
import { HASH_COLUMN, hashedColumnOf, hashText } from './lookup-hash-column.ts'

/** Rows that one step inserts: a few milliseconds. */
const STEP = 200
/** Keys that one statement reads, in order: those of a state that a snapshot cannot hold are not read to the end. */
const KEYS_AT_ONCE = 10_000
/** Rows that one step deletes, besides the events of payments: a few milliseconds. */
const DELETED_STEP = 50

type StateTable = { table: string; owner: TableOwner; columns: readonly TableColumn[]; key: readonly string[] }

/**
 * Opens the tables of organization states in SQLite, to clear and fill them step by step and to read them in slices,
 * without integer keys and hashes.
 */
export const openOrganizationTables = (database: Database) => {
  const tables = ORGANIZATION_TABLES.map(([table, owner, integerKey]): StateTable => {
    const all = database.pragma(`table_info(${table})`) as TableColumn[]
    const columns = all.filter(({ name }) => name !== integerKey && name !== HASH_COLUMN)
    return { table, owner, columns, key: all.filter(({ pk }) => pk > 0).map(({ name }) => name) }
  })
  const [owned, ofPayments] = [tables.filter(isOwned), tables.filter(table => !isOwned(table))]
  const found = owned.map(table => prepareKeys(database, table, table.table === 'payments' ? ofPayments : []))

  function* clear(organizationId: string): Generator<void, void> {
    for (const { someKeys, parts } of found)
      for (;;) {
        const keys = someKeys.all(organizationId)
        for (const key of keys) for (const { remove } of parts) remove.run(...key)
        if (keys.length < DELETED_STEP) break
        yield
      }
  }

  function* fill(rowsByTable: OrganizationState['tables']): Generator<void, void> {
    for (const [table, { columns, rows }] of Object.entries(rowsByTable)) {
      if (rows.length === 0) continue
      const insert = prepareInsert(database, table, columns)
      for (const [at, row] of rows.entries()) {
        insert(row)
        if (at % STEP === STEP - 1) yield
      }
    }
  }

  const read = async (
    organizationId: string,
    onRows: (rows: Cell[][]) => void = () => undefined,
  ): Promise<OrganizationState['tables']> => {
    const read: Record<string, TableRows> = {}
    for (const { keysOf, parts } of found) {
      const partsRead = parts.map(part => ({ ...part, rows: [] as Cell[][] }))
      for await (const keys of keysOf(organizationId))
        for (const { rows, ofKey } of partsRead) {
          const slice = keys.flatMap(key => ofKey.all(...key))
          onRows(slice)
          rows.push(...slice)
        }
      for (const { table, columns, rows } of partsRead) read[table] = { columns, rows }
      await setImmediate()
    }
    return read
  }

  const validate = async (organizationId: string, state: OrganizationState) => {
    const { validateState } = await import('../snapshot-validation/validate-state.ts')
    return validateState(tables, organizationId, state)
  }

  return { clear, read, fill, validate, isFree: openUniqueKeys(database) }
}

const isOwned = ({ owner }: StateTable): boolean => owner === 'organization_id'

/**
 * Prepares the statements that find an organization's rows of a table by their keys, and those that read and delete
 * the rows of a key: first those of the tables that refer to it, as events do to their payment.
 */
const prepareKeys = (database: Database, table: StateTable, referring: readonly StateTable[]) => {
  const names = table.key.join(', ')
  const ofKey = table.key.map(name => `${name} = ?`).join(' AND ')
  const keys = `SELECT ${names} FROM ${table.table} WHERE organization_id = ?`
  const prepareRows = ({ table, columns, key }: StateTable, where: string) => ({
    table,
    columns: columns.map(({ name }) => name),
    remove: database.prepare<Cell[]>(`DELETE FROM ${table} WHERE ${where}`),
    ofKey: database
      .prepare<Cell[], Cell[]>(
        `SELECT ${columns.map(({ name }) => name).join(', ')} FROM ${table} WHERE ${where} ORDER BY ${key.join(', ')}`,
      )
      .raw(),
  })
  return {
    keysOf: prepareKeyPages(database, table.key, keys),
    someKeys: database.prepare<[string], Cell[]>(`${keys} LIMIT ${DELETED_STEP}`).raw(),
    parts: [
      ...referring.map(other =>
        prepareRows(other, `${other.owner} = (SELECT ${other.owner} FROM ${table.table} WHERE ${ofKey})`),
      ),
      prepareRows(table, ofKey),
    ],
  }
}

/** Prepares the statements that read an organization's keys of a table in order, page by page. */
const prepareKeyPages = (database: Database, key: readonly string[], keys: string) => {
  // Of the index by organization, by the plus signs: the order of the keys alone would scan the rows of all others.
  const ordered = key.map(name => `+${name}`).join(', ')
  const page = `ORDER BY ${ordered} LIMIT ${KEYS_AT_ONCE}`
  const firstKeys = database.prepare<[string], Cell[]>(`${keys} ${page}`).raw()
  const nextKeys = database
    .prepare<Cell[], Cell[]>(`${keys} AND (${ordered}) > (${key.map(() => '?').join(', ')}) ${page}`)
    .raw()
  return async function* keysOf(organizationId: string) {
    let read = firstKeys.all(organizationId)
    for (;;) {
      yield* slicesOf(read)
      if (read.length < KEYS_AT_ONCE) return
      await setImmediate()
      read = nextKeys.all(organizationId, ...(read.at(-1) ?? []))
    }
  }
}

/** Prepares the insertion of rows of a snapshot, which have no hashes. */
const prepareInsert = (database: Database, table: string, columns: readonly string[]) => {
  const hashed = hashedColumnOf(table)
  const names = hashed === undefined ? columns : [...columns, HASH_COLUMN]
  const places = names.map(() => '?').join(', ')
  const insert = database.prepare<Cell[]>(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`)
  if (hashed === undefined) return (row: readonly Cell[]) => insert.run(...row)
  const [owner, text] = [columns.indexOf('organization_id'), columns.indexOf(hashed)]
  return (row: readonly Cell[]) => insert.run(...row, hashText(String(row[owner]), String(row[text])))
}

/**
 * Returns a function that tells whether the unique keys of an organization's rows are there once, and are not another
 * organization's.
 */
const openUniqueKeys = (database: Database) => {
  const keys = ORGANIZATION_TABLES.flatMap(([table]) => {
    const indexes = database.pragma(`index_list(${table})`) as { name: string; unique: number }[]
    return indexes
      .filter(({ unique }) => unique === 1)
      .map(({ name }) => {
        const columns = (database.pragma(`index_info(${name})`) as TableColumn[]).map(column => column.name)
        return { table, columns, other: prepareOther(database, table, columns) }
      })
  })
  return async (organizationId: string, rowsByTable: OrganizationState['tables']): Promise<boolean> => {
    for (const { table, columns, other } of keys) {
      const { columns: names, rows } = rowsByTable[table] ?? { columns: [], rows: [] }
      const places = columns.map(name => names.indexOf(name))
      const seen = new Set<string>()
      for await (const slice of slicesOf(rows))
        for (const row of slice) {
          const key = places.map(at => row[at] ?? null)
          if (key.includes(null)) continue
          const text = JSON.stringify(key)
          if (seen.has(text) || other?.get(...key, organizationId)) return false
          seen.add(text)
        }
    }
    return true
  }
}

const prepareOther = (database: Database, table: string, columns: readonly string[]) =>
  columns.includes('organization_id')
    ? undefined
    : database.prepare<Cell[]>(
        `SELECT 1 FROM ${table} WHERE ${columns.map(name => `${name} = ?`).join(' AND ')} AND organization_id <> ?`,
      )
