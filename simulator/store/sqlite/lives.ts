import type { Database } from 'better-sqlite3'
import { type ClockSetting, REAL_TIME } from '../../clock.ts'
import { IDENTITY, NO_LIFE } from '../belongings.ts'
import type { Life, SnapshotRecord, Store } from '../port.ts'
import { isTaken, openBelongings } from './belongings.ts'

type Port = Pick<
  Store,
  | 'resetOrganization'
  | 'removeOrganization'
  | 'life'
  | 'unfitLife'
  | 'replaceLife'
  | 'saveSnapshot'
  | 'snapshots'
  | 'snapshot'
  | 'dropSnapshot'
>
type Listed = { name: string; taken_at: number; bytes: number }
type Row = { name: string; taken_at: number; document: string }

/** The part of the store that empties, puts by and brings back all that happened to an organization. */
export const openLives = (database: Database) => {
  const belongings = openBelongings(database)
  const run = <Parameters extends unknown[]>(text: string) => database.prepare<Parameters>(text)
  const setRow = run<[ClockSetting & { organizationId: string; capabilities: string }]>(`
    UPDATE organizations SET capabilities = @capabilities, clock_anchor_real = @anchorReal,
      clock_anchor_virtual = @anchorVirtual, clock_rate = @rate WHERE organization_id = @organizationId`)
  const capabilities = database.prepare<[string], { capabilities: string }>(
    'SELECT capabilities FROM organizations WHERE organization_id = ?',
  )
  const dropSecret = run<[string]>("DELETE FROM settings WHERE name = 'inbox-secret:' || ?")
  const forget = IDENTITY.map(table => run<[string]>(`DELETE FROM ${table} WHERE organization_id = ?`))

  const remove = database.transaction((organizationId: string): boolean => {
    belongings.clear(organizationId)
    dropSecret.run(organizationId)
    return forget.map(statement => statement.run(organizationId).changes).at(-1) === 1
  })
  const read = database.transaction((organizationId: string): Life => {
    const row = capabilities.get(organizationId)
    return { tables: belongings.read(organizationId), capabilities: JSON.parse(row?.capabilities ?? '{}') }
  })
  const replace = database.transaction((organizationId: string, life: Life, clock: ClockSetting) => {
    belongings.clear(organizationId)
    belongings.fill(life.tables)
    setRow.run({ ...clock, organizationId, capabilities: JSON.stringify(life.capabilities) })
  })

  const port: Port = {
    resetOrganization: async organizationId => replace.immediate(organizationId, NO_LIFE, REAL_TIME),
    removeOrganization: async organizationId => remove.immediate(organizationId),
    life: async organizationId => read(organizationId),
    unfitLife: belongings.unfit,
    replaceLife: async (organizationId, life, clock) => {
      try {
        replace.immediate(organizationId, life, clock)
        return true
      } catch (error) {
        if (isTaken(error)) return false
        throw error
      }
    },
    ...snapshotsIn(database),
  }
  return { port, clear: belongings.clear }
}

const snapshotsIn = (database: Database) => {
  const list = database.prepare<[string], Listed>(`
    SELECT name, taken_at, LENGTH(CAST(document AS BLOB)) AS bytes FROM snapshots WHERE organization_id = ?
    ORDER BY snapshot_id DESC`)
  const one = database.prepare<[string, string], Row>('SELECT * FROM snapshots WHERE organization_id = ? AND name = ?')
  const drop = database.prepare<[string, string]>('DELETE FROM snapshots WHERE organization_id = ? AND name = ?')
  const add = database.prepare<[string, string, number, string]>(
    'INSERT INTO snapshots (organization_id, name, taken_at, document) VALUES (?, ?, ?, ?)',
  )
  const save = database.transaction((organizationId: string, { name, takenAt, document }: SnapshotRecord): boolean => {
    const replaced = drop.run(organizationId, name).changes === 1
    add.run(organizationId, name, takenAt, document)
    return replaced
  })
  return {
    saveSnapshot: async (organizationId, snapshot) => save.immediate(organizationId, snapshot),
    snapshots: async organizationId =>
      list.all(organizationId).map(({ name, taken_at, bytes }) => ({ name, takenAt: taken_at, bytes })),
    snapshot: async (organizationId, name) => {
      const row = one.get(organizationId, name)
      return row && { name: row.name, takenAt: row.taken_at, document: row.document }
    },
    dropSnapshot: async (organizationId, name) => drop.run(organizationId, name).changes === 1,
  } satisfies Pick<Store, 'saveSnapshot' | 'snapshots' | 'snapshot' | 'dropSnapshot'>
}
