import sql from 'sql-template-tag'
import { deadlinesOfState } from '../../payments/deadline-kinds.ts'
import type { PaymentChange } from '../../payments/payment.ts'
import { toPaymentRow } from '../row-mapping.ts'
import type { WriteSet } from '../unit-of-work.ts'
import { saveFaultTriggerCount, useFaultOnce } from './armed-faults.ts'
import { insertRows } from './insert-rows.ts'
import { insertLedgerEntries } from './ledger-entries.ts'
import { insertMandate } from './mandates.ts'
import { insertLateCall } from './pending-provider-calls.ts'
import type { Db } from './pool.ts'
import { insertMock, markMockUsed } from './provider-mocks.ts'
import { insertActivities } from './shopper-clicks-and-clock-moves.ts'
import { insertOutboxEntries } from './webhook-endpoints-and-delivery-plans.ts'

/** What a unit of work of an organization writes. */
export type SavedUnit = WriteSet & { organizationId: string }
type SavedChange = SavedUnit & { change: PaymentChange }

/**
 * Sends the PostgreSQL statements that save the write sets of units of work; no two change one row, so that they can be
 * one. What a usual call writes takes one statement per table for all units. The caller commits.
 */
export const saveWriteSets = (db: Db, saved: readonly SavedUnit[]): Promise<unknown>[] => {
  const changed = saved.filter(hasChange)
  return [
    ...saved.flatMap(unit => saveRareParts(db, unit)),
    ...changed.flatMap(({ mandate }) => (mandate ? insertMandate(db, mandate) : [])),
    ...saveChanges(db, changed),
    ...deleteFinishedJobs(db, saved),
    ...useCodes(db, changed),
    ...insertActivities(
      db,
      saved.flatMap(({ organizationId, activity }) => (activity ? [{ organizationId, activity }] : [])),
    ),
    ...insertOutboxEntries(
      db,
      saved.flatMap(({ organizationId, outbox }) => (outbox ? [{ organizationId, outbox }] : [])),
    ),
    ...rememberReplies(db, saved),
  ]
}

const hasChange = (unit: SavedUnit): unit is SavedChange =>
  unit.change !== undefined && (unit.change.events.length > 0 || unit.change.deadlines.length > 0)

/** Saves the parts that few calls have, by a statement for each. */
const saveRareParts = (db: Db, { organizationId, ...saved }: SavedUnit): Promise<unknown>[] => [
  ...(saved.spentFaultId === undefined ? [] : useFaultOnce(db, saved.spentFaultId)),
  ...(saved.lateCall ? insertLateCall(db, organizationId, saved.lateCall) : []),
  ...(saved.faultTrigger ? saveFaultTriggerCount(db, organizationId, saved.faultTrigger) : []),
  ...(saved.mock ? insertMock(db, organizationId, saved.mock) : []),
  ...(saved.usedMock ? markMockUsed(db, saved.usedMock) : []),
]

const PAYMENTS = {
  table: 'payments',
  columns: {
    transaction_id: 'text',
    organization_id: 'text',
    account_id: 'text',
    client_transaction_id: 'text',
    payer_id: 'text',
    provider_id: 'text',
    status: 'text',
    amount: 'bigint',
    created_at: 'bigint',
    redirect_id: 'text',
    record: 'text',
  },
  onConflict: 'ON CONFLICT (transaction_id) DO UPDATE SET status = excluded.status, record = excluded.record',
} as const
const PAYMENT_EVENTS = { table: 'payment_events', columns: { transaction_id: 'text', record: 'text' } } as const
const DEADLINES = {
  table: 'jobs',
  columns: {
    organization_id: 'text',
    due_at: 'bigint',
    name: 'text',
    transaction_id: 'text',
    capture_or_refund_id: 'text',
  },
} as const

const saveChanges = (db: Db, changed: readonly SavedChange[]): Promise<unknown>[] => {
  if (changed.length === 0) return []
  const events = changed.flatMap(({ change: { payment, events } }) =>
    events.map(event => ({ transaction_id: payment.transactionId, record: JSON.stringify(event) })),
  )
  const deadlines = changed.flatMap(({ organizationId, change: { payment, deadlines } }) =>
    deadlines.map(({ dueAt, name, captureOrRefundId }) => ({
      organization_id: organizationId,
      due_at: dueAt,
      name,
      transaction_id: payment.transactionId,
      capture_or_refund_id: captureOrRefundId,
    })),
  )
  return [
    db.run(insertRows(PAYMENTS, changed.map(paymentRow))),
    ...(events.length === 0 ? [] : [db.run(insertRows(PAYMENT_EVENTS, events))]),
    ...insertLedgerEntries(
      db,
      changed.map(({ organizationId, change }) => ({ organizationId, ...change })),
    ),
    ...deleteObsoleteJobs(db, changed),
    ...(deadlines.length === 0 ? [] : [db.run(insertRows(DEADLINES, deadlines))]),
  ]
}

const paymentRow = ({ organizationId, change }: SavedChange) => {
  const row = toPaymentRow(change.payment)
  return {
    transaction_id: row.transactionId,
    organization_id: organizationId,
    account_id: row.processingAccountId,
    client_transaction_id: row.clientTransactionId,
    payer_id: row.payerId,
    provider_id: row.providerId,
    status: row.status,
    amount: row.amount,
    created_at: row.createdAt,
    redirect_id: row.redirectId,
    record: row.record,
  }
}

/** Deletes the deadlines that do not apply in the states of the payments. */
const deleteObsoleteJobs = (db: Db, changed: readonly SavedChange[]): Promise<unknown>[] => {
  const known = changed.filter(({ change }) => !change.isNew).map(({ change }) => change.payment)
  if (known.length === 0) return []
  const kept = known.flatMap(({ state, transactionId }) =>
    deadlinesOfState(state).map(name => `${name} ${transactionId}`),
  )
  return [
    db.run(sql`
      DELETE FROM jobs WHERE transaction_id = ANY (${known.map(({ transactionId }) => transactionId)}::text[])
        AND late_call_key IS NULL AND name || ' ' || transaction_id <> ALL (${kept}::text[])`),
  ]
}

const deleteFinishedJobs = (db: Db, saved: readonly SavedUnit[]): Promise<unknown>[] => {
  const finished = saved.flatMap(({ finishedJobId }) => finishedJobId ?? [])
  return finished.length === 0 ? [] : [db.run(sql`DELETE FROM jobs WHERE job_id = ANY (${finished}::bigint[])`)]
}

const useCodes = (db: Db, changed: readonly SavedChange[]): Promise<unknown>[] => {
  const used = changed.filter(({ usedCodeId }) => usedCodeId !== undefined)
  if (used.length === 0) return []
  const codes = used.map(({ usedCodeId }) => usedCodeId)
  return [
    db.run(sql`
      UPDATE blik_codes SET transaction_id = (${used.map(({ change }) => change.payment.transactionId)}::text[])[
        array_position(${codes}::text[], code_id)]
      WHERE code_id = ANY (${codes}::text[])`),
  ]
}

const IDEMPOTENCY_KEYS = {
  table: 'idempotency_keys',
  columns: {
    organization_id: 'text',
    idempotency_key: 'text',
    request_fingerprint: 'text',
    response_status: 'bigint',
    response_body: 'text',
    expires_at: 'bigint',
  },
  onConflict: `ON CONFLICT (organization_id, idempotency_key) DO UPDATE SET request_fingerprint = excluded.request_fingerprint,
    response_status = excluded.response_status, response_body = excluded.response_body, expires_at = excluded.expires_at`,
} as const

const rememberReplies = (db: Db, saved: readonly SavedUnit[]): Promise<unknown>[] => {
  const rows = saved.flatMap(({ organizationId, idempotentReply: kept }) =>
    kept
      ? [
          {
            organization_id: organizationId,
            idempotency_key: kept.key,
            request_fingerprint: kept.fingerprint,
            response_status: kept.reply.http,
            response_body: kept.reply.body,
            expires_at: kept.expiresAt,
          },
        ]
      : [],
  )
  return rows.length === 0 ? [] : [db.run(insertRows(IDEMPOTENCY_KEYS, rows))]
}
