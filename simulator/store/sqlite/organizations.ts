import type { Database } from 'better-sqlite3'
import type { ClockSetting } from '../../support/clock.ts'
import type { NewOrganization, OrganizationStore } from '../organization-store.ts'
import { createOrganizationAndSettingStore } from '../organizations-and-settings.ts'
import { type OrganizationRow, toOrganization } from '../row-mapping.ts'
import type { Store } from '../store.ts'
import type { Tables } from './open-table-groups.ts'
import { createDb } from './statement-cache.ts'

/** Opens the SQLite store of organizations, which lists them in order of creation. */
export const openOrganizations = (
  database: Database,
  { certificatesAndKeys, state }: Tables,
): OrganizationStore & Pick<Store, 'setting' | 'saveSetting' | 'addSetting'> => {
  const sql = prepareStatements(database)
  const add = database.transaction((organization: NewOrganization): void => {
    const { organizationId, accountIds, clock, kit, tokens } = organization
    state.clear(organizationId) // calls under way when one of this id was removed may have left rows
    sql.add.run(organizationId, JSON.stringify(accountIds), kit, tokens ?? null)
    sql.setClock.run({ ...clock, organizationId })
    certificatesAndKeys.insert(organization)
  })
  const find = (organizationId: string) => {
    const row = sql.one.get(organizationId)
    return row && toOrganization(row)
  }

  return {
    addOrganization: async organization => add(organization),
    ...createOrganizationAndSettingStore(createDb(database)),
    findOrganizations: async ({ text, from, limit }) => {
      const { fitting, total } = sql.count.get(text) ?? { fitting: 0, total: 0 }
      return { found: sql.some.all(text, limit, from).map(toOrganization), fitting, all: total }
    },
    setClock: async (organizationId, clock) => void sql.setClock.run({ ...clock, organizationId }),
    changeTokens: async (organizationId, change) =>
      database
        .transaction(() => void sql.setTokens.run(change(find(organizationId)?.tokens), organizationId))
        .immediate(),
    changeControlTokens: async (organizationId, change) =>
      database
        .transaction(() => void sql.setControlTokens.run(change(find(organizationId)?.controlTokens), organizationId))
        .immediate(),
    setCapabilities: async (organizationId, accountId, overrides) =>
      database.transaction(() => {
        const capabilities = { ...find(organizationId)?.capabilities, [accountId]: overrides }
        sql.setCapabilities.run(JSON.stringify(capabilities), organizationId)
      })(),
  }
}

const prepareStatements = (database: Database) => {
  const query = <Parameters extends unknown[], Row>(text: string) => database.prepare<Parameters, Row>(text)
  const run = <Parameters extends unknown[]>(text: string) => database.prepare<Parameters>(text)
  return {
    add: run<[string, string, string, string | null]>(`
      INSERT INTO organizations (organization_id, account_ids, kit, tokens, position)
      VALUES (?, ?, ?, ?, (SELECT COALESCE(MAX(position) + 1, 0) FROM organizations))`),
    some: query<[string, number, number], OrganizationRow>(
      'SELECT * FROM organizations WHERE INSTR(organization_id, ?) > 0 ORDER BY position LIMIT ? OFFSET ?',
    ),
    count: query<[string], { fitting: number; total: number }>(`
      SELECT COUNT(*) FILTER (WHERE INSTR(organization_id, ?) > 0) AS fitting, COUNT(*) AS total FROM organizations`),
    one: query<[string], OrganizationRow>('SELECT * FROM organizations WHERE organization_id = ?'),
    setClock: run<[ClockSetting & { organizationId: string }]>(`
      UPDATE organizations SET clock_anchor_real = @anchorReal, clock_anchor_virtual = @anchorVirtual,
        clock_rate = @rate WHERE organization_id = @organizationId`),
    setTokens: run<[string, string]>('UPDATE organizations SET tokens = ? WHERE organization_id = ?'),
    setControlTokens: run<[string, string]>('UPDATE organizations SET control_tokens = ? WHERE organization_id = ?'),
    setCapabilities: run<[string, string]>('UPDATE organizations SET capabilities = ? WHERE organization_id = ?'),
  }
}
