import type { Database } from 'better-sqlite3'
import type { PaymentChange } from '../../payments/payment.ts'
import { INSERT_TARGETS, ledgerEntryRow } from '../inserted-rows.ts'
import { NO_RESPONSE, type PaymentRow, toPaymentRow } from '../row-mapping.ts'
import type { Reply, WriteSet } from '../unit-of-work.ts'
import type { Tables } from './open-table-groups.ts'
import { prepareInsertion } from './prepare-insertion.ts'

type IdempotencyKey = Reply & { organizationId: string; key: string; fingerprint: string; expiresAt: number }

/**
 * Creates the function that saves the write set of a unit of work to SQLite, in order, in the transaction of the
 * caller.
 */
export const openWriteSets = (
  database: Database,
  { jobs, mandates, faults, lateCalls, mocks, blikCodes, ledger, webhooks, addActivity }: Tables,
): ((organizationId: string, saved: WriteSet) => void) => {
  const savePayment = database.prepare<[PaymentRow]>(`
    INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id,
      status, amount, created_at, redirect_id, record, hash)
    VALUES (@transactionId, @organizationId, @processingAccountId, @clientTransactionId, @payerId, @providerId,
      @status, @amount, @createdAt, @redirectId, @record, hash_of(@organizationId, @clientTransactionId))
    ON CONFLICT (transaction_id) DO UPDATE SET status = excluded.status, record = excluded.record`)
  const addEvent = prepareInsertion(database, INSERT_TARGETS.events)
  /** May stand beside an expired row of the same key until retention deletes that. */
  const addIdempotencyKey = database.prepare<[IdempotencyKey]>(`
    INSERT INTO idempotency_keys (organization_id, idempotency_key, request_fingerprint, response_status,
      response_body, expires_at, hash)
    VALUES (@organizationId, @key, @fingerprint, @http, @body, @expiresAt, hash_of(@organizationId, @key))`)
  const dropIdempotencyKey = database.prepare<[Pick<IdempotencyKey, 'organizationId' | 'key'>]>(`
    DELETE FROM idempotency_keys
    WHERE hash = hash_of(@organizationId, @key) AND organization_id = @organizationId AND idempotency_key = @key`)

  const saveChange = (organizationId: string, change: PaymentChange, { mandate, usedCodeId }: WriteSet): void => {
    const { payment, events, ledgerEntries } = change
    const { transactionId } = payment
    savePayment.run({ ...toPaymentRow(payment), organizationId })
    for (const event of events) addEvent({ transaction_id: transactionId, record: JSON.stringify(event) })
    for (const entry of ledgerEntries) ledger.add(ledgerEntryRow(organizationId, payment, entry))
    jobs.saveDeadlines(organizationId, change)
    if (mandate) mandates.insert(mandate)
    if (usedCodeId !== undefined) blikCodes.use(transactionId, usedCodeId)
  }

  return (organizationId, saved) => {
    const { change, finishedJobId, spentFaultId } = saved
    // If a reset or restore has deleted the job meanwhile, nothing is written.
    if (finishedJobId !== undefined && !jobs.drop(organizationId, finishedJobId)) return
    if (spentFaultId !== undefined) faults.useOnce(spentFaultId)
    if (saved.lateCall) lateCalls.insert(organizationId, saved.lateCall)
    if (saved.faultTrigger) faults.saveTriggerCount(organizationId, saved.faultTrigger)
    if (saved.mock) mocks.insert(organizationId, saved.mock)
    if (saved.usedMock) mocks.use(saved.usedMock)
    if (change && (change.events.length > 0 || change.deadlines.length > 0)) saveChange(organizationId, change, saved)
    if (saved.activity) addActivity(organizationId, saved.activity)
    if (saved.outbox) webhooks.insertOutbox(organizationId, saved.outbox)
    if (saved.idempotentReply) {
      const { key, fingerprint, reply = NO_RESPONSE, expiresAt, replaces } = saved.idempotentReply
      if (replaces) dropIdempotencyKey.run({ organizationId, key })
      addIdempotencyKey.run({ organizationId, key, fingerprint, http: reply.http, body: reply.body, expiresAt })
    }
  }
}
