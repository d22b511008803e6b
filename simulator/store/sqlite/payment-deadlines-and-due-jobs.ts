import type { Database } from 'better-sqlite3'
import { deadlinesOfState } from '../../payments/deadline-kinds.ts'
import type { PaymentChange } from '../../payments/payment.ts'
import { deadlineRow, INSERT_TARGETS } from '../inserted-rows.ts'
import { prepareInsertion } from './prepare-insertion.ts'

/** Opens the SQLite store of jobs: the deadlines of payments. */
export const openJobs = (database: Database) => {
  const add = prepareInsertion(database, INSERT_TARGETS.deadlines)
  const dropObsolete = database.prepare<[string, string]>(
    `DELETE FROM jobs WHERE transaction_id = ? AND late_call_key IS NULL AND INSTR(?, '"' || name || '"') = 0`,
  )
  const drop = database.prepare<[number, string]>('DELETE FROM jobs WHERE job_id = ? AND organization_id = ?')

  return {
    /** Adds the new deadlines of a payment, and deletes those that do not apply in its state. */
    saveDeadlines: (organizationId: string, { payment, isNew, deadlines }: PaymentChange): void => {
      const { transactionId, state } = payment
      // Without this condition, a statement that finds nothing takes 4 % of the processor time of a new payment.
      if (!isNew) dropObsolete.run(transactionId, JSON.stringify(deadlinesOfState(state)))
      for (const deadline of deadlines) add(deadlineRow(organizationId, transactionId, deadline))
    },
    drop: (organizationId: string, jobId: number): boolean => drop.run(jobId, organizationId).changes > 0,
  }
}
