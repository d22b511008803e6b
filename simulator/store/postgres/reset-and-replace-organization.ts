import sql from 'sql-template-tag'
import { type ClockSetting, REAL_TIME_SETTING } from '../../support/clock.ts'
import type { OrganizationState, OrganizationStateStore } from '../organization-state-store.ts'
import type { Db } from '../sql-statements.ts'
import { EMPTY_STATE } from '../tables-emptied-by-reset.ts'
import { isUniqueViolation } from './database-errors.ts'
import { deleteSharedCalls } from './journal-sharing.ts'
import { lockOrganization } from './locks.ts'
import {
  clearOrganization,
  clearOrganizationTables,
  fillOrganizationTables,
  readOrganizationTables,
  validateAgainstSchema,
} from './organization-table-rows.ts'
import type { Pool } from './pool.ts'

/** Creates the PostgreSQL store of organization states: resets, removes, reads and replaces them. */
export const createOrganizationStateStore = (pool: Pool): OrganizationStateStore => {
  /** Runs a transaction while no unit of work of the organization runs. */
  const exclusively = <Result>(organizationId: string, act: (db: Db) => Promise<Result>): Promise<Result> =>
    pool.begin(async db => {
      await lockOrganization(db, organizationId)
      return act(db)
    })

  const replace = async (
    db: Db,
    organizationId: string,
    { tables, capabilities }: OrganizationState,
    clock: ClockSetting,
  ) => {
    await clearOrganizationTables(db, organizationId)
    await fillOrganizationTables(db, tables)
    await db.run(sql`
      UPDATE organizations SET capabilities = ${JSON.stringify(capabilities)}, clock_anchor_real = ${clock.anchorReal},
        clock_anchor_virtual = ${clock.anchorVirtual}, clock_rate = ${clock.rate}
      WHERE organization_id = ${organizationId}`)
  }

  return {
    resetOrganization: organizationId =>
      exclusively(organizationId, async db => {
        await replace(db, organizationId, EMPTY_STATE, REAL_TIME_SETTING)
        await deleteSharedCalls(db, organizationId)
      }),
    removeOrganization: organizationId =>
      exclusively(organizationId, async db => {
        await clearOrganization(db, organizationId)
        return (await db.run(sql`DELETE FROM organizations WHERE organization_id = ${organizationId}`)) === 1
      }),
    clearRemovedOrganization: organizationId =>
      exclusively(organizationId, async db => {
        if ((await db.run(sql`SELECT 1 FROM organizations WHERE organization_id = ${organizationId}`)) > 0) return false
        await clearOrganization(db, organizationId)
        return true
      }),
    organizationState: (organizationId, onRows) =>
      exclusively(organizationId, async db => {
        const [row] = await db.rows<{ capabilities: string }>(sql`
          SELECT capabilities FROM organizations WHERE organization_id = ${organizationId}`)
        const tables = await readOrganizationTables(db, organizationId, onRows)
        return { tables, capabilities: JSON.parse(row?.capabilities ?? '{}') } as OrganizationState
      }),
    validateState: (organizationId, state) => validateAgainstSchema(pool, organizationId, state),
    replaceOrganizationState: async (organizationId, _snapshot, state, clock) => {
      try {
        await exclusively(organizationId, db => replace(db, organizationId, state, clock))
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },
  }
}
