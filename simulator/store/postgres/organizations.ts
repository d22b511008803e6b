import sql from 'sql-template-tag'
import type { OrganizationStore } from '../organization-store.ts'
import { createOrganizationAndSettingStore } from '../organizations-and-settings.ts'
import { type OrganizationRow, toOrganization } from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'
import type { Store } from '../store.ts'
import { insertCertificatesAndKeys } from './certificates-and-keys.ts'
import { lockOrganization } from './locks.ts'
import { clearOrganization } from './organization-table-rows.ts'
import type { Pool } from './pool.ts'

/** Changes an organization by a statement made from its row, which stays locked meanwhile; no-op where there is none. */
const changeLocked = (pool: Pool, organizationId: string, change: (db: Db, row: OrganizationRow) => Promise<unknown>) =>
  pool.begin(async db => {
    const [row] = await db.rows<OrganizationRow>(sql`
      SELECT * FROM organizations WHERE organization_id = ${organizationId} FOR UPDATE`)
    if (row) await change(db, row)
  })

/** Creates the PostgreSQL store of organizations, which lists them in order of creation. */
export const createOrganizationStore = (
  pool: Pool,
): OrganizationStore & Pick<Store, 'setting' | 'saveSetting' | 'addSetting'> => ({
  addOrganization: async organization =>
    void (await pool.begin(async db => {
      const { organizationId, accountIds, clock, kit, tokens } = organization
      await lockOrganization(db, organizationId)
      // Calls under way when one of this id was removed may have left rows.
      await clearOrganization(db, organizationId)
      await db.run(sql`
        INSERT INTO organizations (organization_id, account_ids, kit, clock_anchor_real, clock_anchor_virtual,
          clock_rate, tokens)
        VALUES (${organizationId}, ${JSON.stringify(accountIds)}, ${kit}, ${clock.anchorReal}, ${clock.anchorVirtual},
          ${clock.rate}, ${tokens ?? null})`)
      await insertCertificatesAndKeys(db, organization)
    })),
  ...createOrganizationAndSettingStore(pool),
  findOrganizations: async ({ text, from, limit }) => {
    const [[counted], rows] = await Promise.all([
      pool.rows<{ fitting: number; total: number }>(sql`
        SELECT count(*) FILTER (WHERE strpos(organization_id, ${text}) > 0) AS fitting, count(*) AS total
        FROM organizations`),
      pool.rows<OrganizationRow>(sql`
        SELECT * FROM organizations WHERE strpos(organization_id, ${text}) > 0
        ORDER BY position LIMIT ${limit} OFFSET ${from}`),
    ])
    return { found: rows.map(toOrganization), fitting: counted?.fitting ?? 0, all: counted?.total ?? 0 }
  },
  setClock: async (organizationId, { anchorReal, anchorVirtual, rate }, change) => {
    const stored = sql`clock_anchor_virtual + GREATEST(${anchorReal} - clock_anchor_real, 0) * clock_rate`
    const virtual = change ? sql`GREATEST(${change.at ?? 0}, floor(${stored}))` : sql`${anchorVirtual}`
    await pool.run(sql`
      UPDATE organizations SET clock_anchor_real = ${anchorReal}, clock_anchor_virtual = ${virtual},
        clock_rate = COALESCE(${change ? (change.rate ?? null) : rate}, clock_rate) WHERE organization_id = ${organizationId}`)
  },
  changeTokens: (organizationId, change) =>
    changeLocked(pool, organizationId, (db, { tokens }) =>
      db.run(sql`
        UPDATE organizations SET tokens = ${change(tokens ?? undefined)} WHERE organization_id = ${organizationId}`),
    ),
  changeControlTokens: (organizationId, change) =>
    changeLocked(pool, organizationId, (db, { control_tokens: tokens }) =>
      db.run(sql`
        UPDATE organizations SET control_tokens = ${change(tokens ?? undefined)}
        WHERE organization_id = ${organizationId}`),
    ),
  setCapabilities: async (organizationId, accountId, overrides) =>
    void (await pool.run(sql`
      UPDATE organizations
      SET capabilities = (capabilities::jsonb || jsonb_build_object(${accountId}::text, ${JSON.stringify(overrides)}::text::jsonb))::text
      WHERE organization_id = ${organizationId}`)),
})
