import sql from 'sql-template-tag'
import { deadlinesOfState } from '../../payments/deadline-kinds.ts'
import type { Deadline, Payment } from '../../payments/payment.ts'
import { toPaymentRow } from '../row-mapping.ts'
import type { WriteSet } from '../unit-of-work.ts'
import { saveFaultTriggerCount, useFaultOnce } from './armed-faults.ts'
import { insertLedgerEntries } from './ledger-entries.ts'
import { insertMandate } from './mandates.ts'
import { insertLateCall } from './pending-provider-calls.ts'
import type { Db } from './pool.ts'
import { insertMock, markMockUsed } from './provider-mocks.ts'
import { insertActivity } from './shopper-clicks-and-clock-moves.ts'
import { insertOutboxEntries } from './webhook-endpoints-and-delivery-plans.ts'

/**
 * Sends the PostgreSQL statements that save a unit of work's write set; no two change one row, so that they can be one.
 * The caller commits.
 */
export const saveWriteSet = (db: Db, organizationId: string, saved: WriteSet): Promise<unknown>[] => {
  const { change, mandate, lateCall: late } = saved
  const changed = change && (change.events.length > 0 || change.deadlines.length > 0) ? change : undefined
  return [
    saved.spentFaultId === undefined ? [] : useFaultOnce(db, saved.spentFaultId),
    late ? insertLateCall(db, organizationId, late) : [],
    saved.faultTrigger ? saveFaultTriggerCount(db, organizationId, saved.faultTrigger) : [],
    saved.mock ? insertMock(db, organizationId, saved.mock) : [],
    saved.usedMock ? markMockUsed(db, saved.usedMock) : [],
    changed ? saveChange(db, organizationId, changed) : [],
    changed && mandate ? insertMandate(db, mandate) : [],
    changed && saved.usedCodeId !== undefined ? useCode(db, changed.payment.transactionId, saved.usedCodeId) : [],
    saved.activity ? insertActivity(db, organizationId, saved.activity) : [],
    saved.outbox ? insertOutboxEntries(db, organizationId, saved.outbox) : [],
    saved.idempotentReply ? remember(db, organizationId, saved.idempotentReply) : [],
  ].flat()
}

const saveChange = (
  db: Db,
  organizationId: string,
  { payment, isNew, events, deadlines, ledgerEntries }: NonNullable<WriteSet['change']>,
): Promise<unknown>[] => {
  const { transactionId } = payment
  const row = { ...toPaymentRow(payment), organizationId }
  const records = events.map(event => JSON.stringify(event))
  return [
    db.run(sql`
      INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id,
        status, amount, created_at, redirect_id, record)
      VALUES (${row.transactionId}, ${row.organizationId}, ${row.processingAccountId}, ${row.clientTransactionId},
        ${row.payerId}, ${row.providerId}, ${row.status}, ${row.amount}, ${row.createdAt}, ${row.redirectId},
        ${row.record})
      ON CONFLICT (transaction_id) DO UPDATE SET status = excluded.status, record = excluded.record`),
    ...(records.length === 0
      ? []
      : [
          db.run(sql`
            INSERT INTO payment_events (transaction_id, record)
            SELECT ${transactionId}, record FROM unnest(${records}::text[]) WITH ORDINALITY AS t (record, nth) ORDER BY nth`),
        ]),
    ...insertLedgerEntries(db, organizationId, payment, ledgerEntries),
    ...(isNew ? [] : [deleteObsoleteJobs(db, payment)]),
    ...(deadlines.length === 0 ? [] : [insertDeadlines(db, organizationId, transactionId, deadlines)]),
  ]
}

const insertDeadlines = (db: Db, organizationId: string, transactionId: string, deadlines: readonly Deadline[]) =>
  db.run(sql`
    INSERT INTO jobs (organization_id, due_at, name, transaction_id, capture_or_refund_id)
    SELECT ${organizationId}, due_at, name, ${transactionId}, capture_or_refund_id
    FROM unnest(${deadlines.map(({ dueAt }) => dueAt)}::bigint[], ${deadlines.map(({ name }) => name)}::text[],
      ${deadlines.map(({ captureOrRefundId }) => captureOrRefundId ?? null)}::text[])
      WITH ORDINALITY AS t (due_at, name, capture_or_refund_id, nth) ORDER BY nth`)

/** Deletes the deadlines that do not apply in the payment's state. */
const deleteObsoleteJobs = (db: Db, { transactionId, state }: Payment) =>
  db.run(sql`
    DELETE FROM jobs WHERE transaction_id = ${transactionId} AND late_call_key IS NULL
      AND name <> ALL (${deadlinesOfState(state) as string[]}::text[])`)

const useCode = (db: Db, transactionId: string, codeId: string) => [
  db.run(sql`UPDATE blik_codes SET transaction_id = ${transactionId} WHERE code_id = ${codeId}`),
]

const remember = (db: Db, organizationId: string, kept: NonNullable<WriteSet['idempotentReply']>) => [
  db.run(sql`
    INSERT INTO idempotency_keys (organization_id, idempotency_key, request_fingerprint, response_status, response_body, expires_at)
    VALUES (${organizationId}, ${kept.key}, ${kept.fingerprint}, ${kept.reply.http}, ${kept.reply.body},
      ${kept.expiresAt})
    ON CONFLICT (organization_id, idempotency_key) DO UPDATE SET request_fingerprint = excluded.request_fingerprint,
      response_status = excluded.response_status, response_body = excluded.response_body, expires_at = excluded.expires_at`),
]
