import sql from 'sql-template-tag'
import type { Payment } from '../../payments/payment.ts'
import { createPhoneCodeAndMandateStore } from '../phones-codes-and-mandates.ts'
import type { RecordRow } from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'
import type { Store } from '../store.ts'
import { createFaultStore } from './armed-faults.ts'
import { createCertificateAndKeyStore } from './certificates-and-keys.ts'
import { toPostgresStartError } from './database-errors.ts'
import { createDueJobStore } from './due-jobs.ts'
import { withHeldUnits } from './hold-units-of-closed-organizations.ts'
import { openDatabase } from './open-database.ts'
import { createSnapshotStore } from './organization-snapshots.ts'
import { createOrganizationStore } from './organizations.ts'
import { createPaymentCountAndIdSearchStore } from './payment-counts-and-id-search.ts'
import { createMockStore } from './provider-mocks.ts'
import { withPublishedChanges } from './publish-changes-to-replicas.ts'
import { createReplicaCoordination } from './replica-coordination.ts'
import { createOrganizationStateStore } from './reset-and-replace-organization.ts'
import { createRetentionStore } from './retention.ts'
import { createRunUnitOfWork } from './run-unit-of-work.ts'
import { createScheduleStore } from './scheduled-items-and-clocks.ts'
import { createActivityStore } from './shopper-clicks-and-clock-moves.ts'
import { releaseClaims } from './webhook-deliveries.ts'
import { createWebhookStore } from './webhook-endpoints-and-delivery-plans.ts'

/** Opens the PostgreSQL store at `postgres://…`, which many replicas may share. Throws StartError. */
export const openPostgresStore = async (
  url: string,
  onError: (error: unknown) => void = console.error,
  connections?: number,
): Promise<Store> => {
  const pool = await openDatabase(url, onError, connections)
  const replicas = await createReplicaCoordination(url, pool, onError).catch(async error => {
    await pool.end()
    throw toPostgresStartError(error, url)
  })
  const { self, publish, announce } = replicas
  const store: Store = {
    transact: createRunUnitOfWork(pool, announce),
    ...createDueJobStore(pool),
    ...createOrganizationStore(pool),
    ...createCertificateAndKeyStore(pool),
    ...createFaultStore(pool),
    ...createMockStore(pool),
    ...createWebhookStore(pool, replicas),
    ...createActivityStore(pool),
    ...createScheduleStore(pool),
    ...createPaymentCountAndIdSearchStore(pool),
    ...createOrganizationStateStore(pool),
    ...createSnapshotStore(pool),
    ...createPhoneCodeAndMandateStore(pool),
    ...createRetentionStore(pool),
    ...createSettingStore(pool),
    close: async () => {
      await releaseClaims(pool, self).catch(() => undefined) // the claims of a closed replica end anyway
      await replicas.close()
      await pool.end()
    },
  }
  return { ...withPublishedChanges(withHeldUnits(store), publish), replicas }
}

const settingIn = async (db: Db, name: string): Promise<string | undefined> =>
  (await db.rows<{ value: string }>(sql`SELECT value FROM settings WHERE name = ${name}`))[0]?.value

const createSettingStore = (db: Db): Pick<Store, 'setting' | 'saveSetting' | 'addSetting' | 'paymentByRedirect'> => ({
  setting: name => settingIn(db, name),
  addSetting: async (name, value) => {
    await db.run(sql`INSERT INTO settings (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`)
    return (await settingIn(db, name)) ?? value
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
