import type { Database } from 'better-sqlite3'
import { type ClockSetting, REAL_TIME_SETTING } from '../../support/clock.ts'
import type { OrganizationState, OrganizationStateStore } from '../organization-state-store.ts'
import { EMPTY_STATE, TABLES_KEPT_BY_RESET } from '../tables-emptied-by-reset.ts'
import { isUniqueViolation } from './database-errors.ts'
import { openOrganizationTables } from './organization-table-rows.ts'

/** Opens the SQLite store of organization states: resets, removes, reads and replaces them. */
export const openOrganizationState = (database: Database) => {
  const stateTables = openOrganizationTables(database)
  const run = <Parameters extends unknown[]>(text: string) => database.prepare<Parameters>(text)
  const setRow = run<[ClockSetting & { organizationId: string; capabilities: string }]>(`
    UPDATE organizations SET capabilities = @capabilities, clock_anchor_real = @anchorReal,
      clock_anchor_virtual = @anchorVirtual, clock_rate = @rate WHERE organization_id = @organizationId`)
  const capabilities = database.prepare<[string], { capabilities: string }>(
    'SELECT capabilities FROM organizations WHERE organization_id = ?',
  )
  const dropSecret = run<[string]>("DELETE FROM settings WHERE name = 'inbox-secret:' || ?")
  const removeIdentity = TABLES_KEPT_BY_RESET.map(table =>
    run<[string]>(`DELETE FROM ${table} WHERE organization_id = ?`),
  )

  const remove = database.transaction((organizationId: string): boolean => {
    stateTables.clear(organizationId)
    dropSecret.run(organizationId)
    return removeIdentity.map(statement => statement.run(organizationId).changes).at(-1) === 1
  })
  const read = database.transaction((organizationId: string): OrganizationState => {
    const row = capabilities.get(organizationId)
    return { tables: stateTables.read(organizationId), capabilities: JSON.parse(row?.capabilities ?? '{}') }
  })
  const replace = database.transaction((organizationId: string, state: OrganizationState, clock: ClockSetting) => {
    stateTables.clear(organizationId)
    stateTables.fill(state.tables)
    setRow.run({ ...clock, organizationId, capabilities: JSON.stringify(state.capabilities) })
  })

  const port: OrganizationStateStore = {
    resetOrganization: async organizationId => replace.immediate(organizationId, EMPTY_STATE, REAL_TIME_SETTING),
    removeOrganization: async organizationId => remove.immediate(organizationId),
    organizationState: async organizationId => read(organizationId),
    validateState: stateTables.validate,
    replaceOrganizationState: async (organizationId, state, clock) => {
      try {
        replace.immediate(organizationId, state, clock)
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },
  }
  return { port, clear: stateTables.clear }
}
