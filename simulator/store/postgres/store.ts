import sql from 'sql-template-tag'
import type { Payment } from '../../payments/payment.ts'
import type { Job, Store, Unit } from '../port.ts'
import { type JobRow, jobOf, type OrganizationRow, organizationOf, type RecordRow } from '../rows.ts'
import { clearBelongings } from './belongings.ts'
import { deedsPort } from './deeds.ts'
import { releaseClaims } from './deliveries.ts'
import { faultsPort } from './faults.ts'
import { identitiesPort, insertIdentities } from './identities.ts'
import { livesPort } from './lives.ts'
import { lockOrganization } from './locks.ts'
import { mandatesPort } from './mandates.ts'
import { mocksPort } from './mocks.ts'
import { type Db, openDatabase, type Pool } from './open.ts'
import { performUnit } from './perform.ts'
import { phonesPort } from './phones.ts'
import { createReplicas } from './replicas.ts'
import { retentionPort } from './retention.ts'
import { tellingAll } from './telling-all.ts'
import { startErrorWithPostgres } from './trouble.ts'
import { webhooksPort } from './webhooks.ts'

/** The store of many replicas: one PostgreSQL behind `postgres://…`. */
export const openPostgresStore = async (
  url: string,
  onFault: (error: unknown) => void = console.error,
): Promise<Store> => {
  const pool = await openDatabase(url, onFault)
  const replicas = await createReplicas(url, pool, onFault).catch(async error => {
    await pool.end()
    throw startErrorWithPostgres(error, url)
  })
  const { self, tell, telling } = replicas
  const store: Store = {
    perform: <Result>(unit: Unit<Result>) => performUnit(pool, telling, unit),
    ...jobsPort(pool),
    ...organizationsPort(pool),
    ...identitiesPort(pool),
    ...mandatesPort(pool),
    ...faultsPort(pool),
    ...mocksPort(pool),
    ...webhooksPort(pool, replicas),
    ...deedsPort(pool),
    ...livesPort(pool),
    ...phonesPort(pool),
    ...retentionPort(pool),
    ...settingsPort(pool),
    close: async () => {
      await releaseClaims(pool, self).catch(() => undefined) // a replica that is gone claims nothing
      await replicas.close()
      await pool.end()
    },
  }
  return { ...tellingAll(store, tell), replicas }
}

const settingsPort = (db: Db): Pick<Store, 'setting' | 'saveSetting' | 'paymentByRedirect'> => ({
  setting: async name => {
    const [row] = await db.rows<{ value: string }>(sql`SELECT value FROM settings WHERE name = ${name}`)
    return row?.value
  },
  saveSetting: async (name, value) =>
    void (await db.run(sql`
      INSERT INTO settings (name, value) VALUES (${name}, ${value})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`)),
  paymentByRedirect: async redirectId => {
    const [row] = await db.rows<RecordRow>(sql`SELECT record FROM payments WHERE redirect_id = ${redirectId}`)
    return row && (JSON.parse(row.record) as Payment)
  },
})

const jobsPort = (db: Db): Pick<Store, 'nextDue' | 'dueJob'> => ({
  nextDue: async organizationId => {
    const [row] = await db.rows<{ due_at: number | null }>(sql`
      SELECT min(due_at) AS due_at FROM jobs WHERE organization_id = ${organizationId}`)
    return row?.due_at ?? undefined
  },
  dueJob: async (organizationId, now): Promise<Job | undefined> => {
    const [row] = await db.rows<JobRow>(sql`
      SELECT * FROM jobs WHERE organization_id = ${organizationId} AND due_at <= ${now}
      ORDER BY due_at, job_id LIMIT 1`)
    return row && jobOf(row)
  },
})

type OrganizationsPort = Pick<
  Store,
  'addOrganization' | 'organizations' | 'findOrganizations' | 'organization' | 'setClock' | 'setKit' | 'setCapabilities'
>

const organizationsPort = (pool: Pool): OrganizationsPort => ({
  addOrganization: async organization =>
    void (await pool.begin(async db => {
      const { organizationId, accountIds, clock, kit } = organization
      await lockOrganization(db, organizationId)
      await clearBelongings(db, organizationId) // a call that passed the layers before one of this id was removed
      await db.run(sql`
        INSERT INTO organizations (organization_id, account_ids, kit, clock_anchor_real, clock_anchor_virtual, clock_rate)
        VALUES (${organizationId}, ${JSON.stringify(accountIds)}, ${kit}, ${clock.anchorReal}, ${clock.anchorVirtual},
          ${clock.rate})`)
      await insertIdentities(db, organization)
    })),
  organizations: async () =>
    (await pool.rows<OrganizationRow>(sql`SELECT * FROM organizations ORDER BY position`)).map(organizationOf),
  findOrganizations: async ({ text, from, limit }) => {
    const [[counted], rows] = await Promise.all([
      pool.rows<{ fitting: number; total: number }>(sql`
        SELECT count(*) FILTER (WHERE strpos(organization_id, ${text}) > 0) AS fitting, count(*) AS total
        FROM organizations`),
      pool.rows<OrganizationRow>(sql`
        SELECT * FROM organizations WHERE strpos(organization_id, ${text}) > 0
        ORDER BY position LIMIT ${limit} OFFSET ${from}`),
    ])
    return { found: rows.map(organizationOf), fitting: counted?.fitting ?? 0, all: counted?.total ?? 0 }
  },
  organization: async organizationId => {
    const [row] = await pool.rows<OrganizationRow>(sql`
      SELECT * FROM organizations WHERE organization_id = ${organizationId}`)
    return row && organizationOf(row)
  },
  setClock: async (organizationId, { anchorReal, anchorVirtual, rate }) =>
    void (await pool.run(sql`
      UPDATE organizations SET clock_anchor_real = ${anchorReal}, clock_anchor_virtual = ${anchorVirtual},
        clock_rate = ${rate} WHERE organization_id = ${organizationId}`)),
  setKit: async (organizationId, kit) =>
    void (await pool.run(sql`UPDATE organizations SET kit = ${kit} WHERE organization_id = ${organizationId}`)),
  setCapabilities: async (organizationId, accountId, overrides) =>
    void (await pool.run(sql`
      UPDATE organizations
      SET capabilities = (capabilities::jsonb || jsonb_build_object(${accountId}::text, ${JSON.stringify(overrides)}::text::jsonb))::text
      WHERE organization_id = ${organizationId}`)),
})
