import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { slicesOf } from '../../support/slices-across-event-loop-turns.ts'
import type { Cell, OrganizationState, TableRows } from '../organization-state-store.ts'
import type { TableColumn } from '../snapshot-validation/validate-rows.ts'
import { ORGANIZATION_TABLES, type TableOwner } from '../tables-emptied-by-reset.ts'
import { HASH_COLUMN, hashedColumnOf, hashText } from './lookup-hash-column.ts'

/** Rows that one step deletes or inserts: a few milliseconds. */
const STEP = 200

/** Conditions that select an organization's rows, by owner column. */
const OWNED_BY: Record<TableOwner, string> = {
  organization_id: 'organization_id = ?',
  transaction_id: 'transaction_id IN (SELECT transaction_id FROM payments WHERE organization_id = ?)',
}

/**
 * Opens the tables of organization states in SQLite, to clear and fill them step by step and to read them in slices,
 * without integer keys and hashes.
 */
export const openOrganizationTables = (database: Database) => {
  const tables = ORGANIZATION_TABLES.map(([table, owner, integerKey]) => {
    const all = database.pragma(`table_info(${table})`) as TableColumn[]
    const columns = all.filter(({ name }) => name !== integerKey && name !== HASH_COLUMN)
    const key = all.filter(({ pk }) => pk > 0).map(({ name }) => name)
    const ofKey = key.map(name => `${name} = ?`).join(' AND ')
    const keys = `SELECT ${key.join(', ')} FROM ${table} WHERE ${OWNED_BY[owner]}`
    return {
      table,
      owner,
      columns,
      someKeys: database.prepare<[string], Cell[]>(`${keys} LIMIT ${STEP}`).raw(),
      allKeys: database.prepare<[string], Cell[]>(`${keys} ORDER BY ${key.join(', ')}`).raw(),
      remove: database.prepare<Cell[]>(`DELETE FROM ${table} WHERE ${ofKey}`),
      row: database
        .prepare<Cell[], Cell[]>(`SELECT ${columns.map(({ name }) => name).join(', ')} FROM ${table} WHERE ${ofKey}`)
        .raw(),
    }
  })

  /** Deletes an organization's rows; events come first: they are found through the payments that they belong to. */
  function* clear(organizationId: string): Generator<void, void> {
    for (const { someKeys, remove } of tables)
      for (;;) {
        const keys = someKeys.all(organizationId)
        for (const key of keys) remove.run(...key)
        if (keys.length < STEP) break
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

  const read = async (organizationId: string): Promise<OrganizationState['tables']> => {
    const read: Record<string, TableRows> = {}
    for (const { table, columns, allKeys, row } of tables) {
      const rows: Cell[][] = []
      for await (const keys of slicesOf(allKeys.all(organizationId)))
        rows.push(...keys.flatMap(key => [row.get(...key) ?? []]))
      read[table] = { columns: columns.map(({ name }) => name), rows }
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
