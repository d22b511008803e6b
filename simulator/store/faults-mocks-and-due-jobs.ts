import type { Payment } from '../payments/payment.ts'
import { type RecordRow, toFault, toJob, toMock } from './row-mapping.ts'
import type { Activity } from './shopper-click-and-clock-move-store.ts'
import { createSqlTags, type Db } from './sql-statements.ts'
import type { Store } from './store.ts'

type FaultMockAndDueJobMethods = Pick<
  Store,
  'addFault' | 'faults' | 'clearFaults' | 'mocks' | 'dueJobs' | 'activities' | 'paymentByRedirect'
>

/** Creates the store of armed faults, mocks, due jobs, and what shoppers and clocks did, over SQLite or PostgreSQL. */
export const createFaultMockAndDueJobStore = (db: Db): FaultMockAndDueJobMethods => {
  const { list, find, count } = createSqlTags(db)
  return {
    addFault: async (organizationId, fault) => {
      const { left, ...record } = fault
      const faultId = await find((row: { fault_id: number }) => row.fault_id)`
        INSERT INTO faults (organization_id, operation, remaining_calls, record)
        VALUES (${organizationId}, ${fault.operation}, ${left}, ${JSON.stringify(record)}) RETURNING fault_id`
      return { ...fault, faultId: faultId ?? 0 }
    },
    faults: organizationId =>
      list(toFault)`SELECT * FROM faults WHERE organization_id = ${organizationId} ORDER BY fault_id`,
    clearFaults: organizationId => count`DELETE FROM faults WHERE organization_id = ${organizationId}`,
    mocks: (organizationId, now, limit) => list(toMock)`
      SELECT * FROM mocks WHERE organization_id = ${organizationId} AND expires_at > ${now}
      ORDER BY mock_id DESC LIMIT ${limit}`,
    dueJobs: (organizationId, now, limit) => list(toJob)`
      SELECT * FROM jobs WHERE organization_id = ${organizationId} AND due_at <= ${now}
      ORDER BY due_at, job_id LIMIT ${limit}`,
    activities: (organizationId, transactionId, from) => list(toRecord<Activity>)`
      SELECT position, record FROM activities WHERE organization_id = ${organizationId} AND transaction_id = ${transactionId}
      UNION ALL
      SELECT position, record FROM activities
        WHERE organization_id = ${organizationId} AND transaction_id IS NULL AND ended_at >= ${from}
      ORDER BY position`,
    paymentByRedirect: redirectId =>
      find(toRecord<Payment>)`SELECT record FROM payments WHERE redirect_id = ${redirectId}`,
  }
}

const toRecord = <Result>({ record }: RecordRow): Result => JSON.parse(record) as Result
