import { createFaultMockAndDueJobStore } from '../faults-mocks-and-due-jobs.ts'
import { createPhoneCodeAndMandateStore } from '../phones-codes-and-mandates.ts'
import type { Store } from '../store.ts'
import { createCertificateAndKeyStore } from './certificates-and-keys.ts'
import { toPostgresStartError } from './database-errors.ts'
import { withHeldUnits } from './hold-units-of-closed-organizations.ts'
import { openDatabase } from './open-database.ts'
import { createSnapshotStore } from './organization-snapshots.ts'
import { createOrganizationStore } from './organizations.ts'
import { createPaymentCountAndIdSearchStore } from './payment-counts-and-id-search.ts'
import { runAll } from './pool.ts'
import { withPublishedChanges } from './publish-changes-to-replicas.ts'
import { createReplicaCoordination } from './replica-coordination.ts'
import { createOrganizationStateStore } from './reset-and-replace-organization.ts'
import { createRetentionStore } from './retention.ts'
import { createRunUnitOfWork } from './run-unit-of-work.ts'
import { createScheduleStore } from './scheduled-items-and-clocks.ts'
import { insertActivities } from './shopper-clicks-and-clock-moves.ts'
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
    ...createOrganizationStore(pool),
    ...createCertificateAndKeyStore(pool),
    ...createWebhookStore(pool, replicas),
    ...createFaultMockAndDueJobStore(pool),
    addActivity: async (organizationId, activity) =>
      void (await runAll(pool, insertActivities([{ organizationId, activity }]))),
    ...createScheduleStore(pool),
    ...createPaymentCountAndIdSearchStore(pool),
    ...createOrganizationStateStore(pool),
    ...createSnapshotStore(pool),
    ...createPhoneCodeAndMandateStore(pool),
    ...createRetentionStore(pool),
    close: async () => {
      await releaseClaims(pool, self).catch(() => undefined) // the claims of a closed replica end anyway
      await replicas.close()
      await pool.end()
    },
  }
  return { ...withPublishedChanges(withHeldUnits(store), publish), replicas }
}
