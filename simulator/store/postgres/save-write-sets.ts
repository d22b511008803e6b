import sql, { type Sql } from 'sql-template-tag'
import { deadlinesOfState } from '../../payments/deadline-kinds.ts'
import type { PaymentChange } from '../../payments/payment.ts'
import { deadlineRow, INSERT_TARGETS, lateCallRow, ledgerEntryRow, triggerCountRow } from '../inserted-rows.ts'
import { NO_RESPONSE, toMandateRow, toPaymentRow } from '../row-mapping.ts'
import type { WriteSet } from '../unit-of-work.ts'
import { useFaultOnce } from './armed-faults.ts'
import { insertRows, type OfOrganization } from './insert-rows.ts'
import { insertMock, markMockUsed } from './provider-mocks.ts'
import { insertActivities } from './shopper-clicks-and-clock-moves.ts'
import { insertOutboxEntries } from './webhook-endpoints-and-delivery-plans.ts'

type SavedUnit = OfOrganization<WriteSet>
type SavedChange = SavedUnit & { change: PaymentChange }

/**
 * Returns the PostgreSQL statements that save the write sets of units of work: those that can be one, as no two change
 * one row, and those that have to run by themselves. What many calls write takes one statement per table for all units.
 * Throws RangeError where a number is none that can be saved.
 */
export const saveWriteSets = (saved: readonly SavedUnit[]): { together: Sql[]; apart: Sql[] } => {
  const changed = saved.filter(hasChange)
  const partsOf = <Part>(partOf: (unit: SavedUnit) => Part | undefined): Part[] =>
    saved.flatMap(unit => partOf(unit) ?? [])
  return {
    together: [
      ...partsOf(({ spentFaultId: faultId }) => faultId).flatMap(useFaultOnce),
      ...partsOf(({ usedMock }) => usedMock).map(markMockUsed),
      ...insertRows(
        INSERT_TARGETS.lateCalls,
        partsOf(({ organizationId, lateCall }) => lateCall && lateCallRow(organizationId, lateCall)),
      ),
      ...insertRows(
        INSERT_TARGETS.triggerCounts,
        partsOf(({ organizationId, faultTrigger }) => faultTrigger && triggerCountRow(organizationId, faultTrigger)),
      ),
      ...insertRows(
        INSERT_TARGETS.mandates,
        changed.flatMap(({ mandate }) => (mandate ? [toMandateRow(mandate)] : [])),
      ),
      ...saveChanges(changed),
      ...deleteFinishedJobs(partsOf(({ finishedJobId }) => finishedJobId)),
      ...useCodes(changed),
      ...insertActivities(partsOf(({ organizationId, activity }) => activity && { organizationId, activity })),
      ...insertOutboxEntries(partsOf(({ organizationId, outbox }) => outbox && { organizationId, outbox })),
      ...insertRows(
        IDEMPOTENCY_KEYS,
        partsOf(({ organizationId, idempotentReply }) => idempotentReply && keyRow(organizationId, idempotentReply)),
      ),
    ],
    apart: partsOf(({ organizationId, mock }) => mock && insertMock(organizationId, mock)),
  }
}

const hasChange = (unit: SavedUnit): unit is SavedChange =>
  unit.change !== undefined && (unit.change.events.length > 0 || unit.change.deadlines.length > 0)

// biome-ignore format: a table reads by its columns
const PAYMENTS = {
  table: 'payments',
  columns: { transaction_id: 'text', organization_id: 'text', account_id: 'text', client_transaction_id: 'text', payer_id: 'text', provider_id: 'text', status: 'text', amount: 'bigint', created_at: 'bigint', redirect_id: 'text', record: 'text' },
  onConflict: 'ON CONFLICT (transaction_id) DO UPDATE SET status = excluded.status, record = excluded.record',
} as const
// biome-ignore format: a table reads by its columns
const IDEMPOTENCY_KEYS = {
  table: 'idempotency_keys',
  columns: { organization_id: 'text', idempotency_key: 'text', request_fingerprint: 'text', response_status: 'bigint', response_body: 'text', expires_at: 'bigint' },
  onConflict: `ON CONFLICT (organization_id, idempotency_key) DO UPDATE SET request_fingerprint = excluded.request_fingerprint,
    response_status = excluded.response_status, response_body = excluded.response_body, expires_at = excluded.expires_at`,
} as const

const saveChanges = (changed: readonly SavedChange[]): Sql[] => [
  ...insertRows(PAYMENTS, changed.map(paymentRow)),
  ...insertRows(
    INSERT_TARGETS.events,
    changed.flatMap(({ change: { payment, events } }) =>
      events.map(event => ({ transaction_id: payment.transactionId, record: JSON.stringify(event) })),
    ),
  ),
  ...insertRows(
    INSERT_TARGETS.ledgerEntries,
    changed.flatMap(({ organizationId, change: { payment, ledgerEntries } }) =>
      ledgerEntries.map(entry => ledgerEntryRow(organizationId, payment, entry)),
    ),
  ),
  ...deleteObsoleteJobs(changed),
  ...insertRows(
    INSERT_TARGETS.deadlines,
    changed.flatMap(({ organizationId, change: { payment, deadlines } }) =>
      deadlines.map(deadline => deadlineRow(organizationId, payment.transactionId, deadline)),
    ),
  ),
]

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

const keyRow = (
  organizationId: string,
  { key, fingerprint, reply = NO_RESPONSE, expiresAt }: NonNullable<WriteSet['idempotentReply']>,
) => ({
  organization_id: organizationId,
  idempotency_key: key,
  request_fingerprint: fingerprint,
  response_status: reply.http,
  response_body: reply.body,
  expires_at: expiresAt,
})

/** Deletes the deadlines that do not apply in the states of the payments. */
const deleteObsoleteJobs = (changed: readonly SavedChange[]): Sql[] => {
  const known = changed.filter(({ change }) => !change.isNew).map(({ change }) => change.payment)
  if (known.length === 0) return []
  const kept = known.flatMap(({ state, transactionId }) =>
    deadlinesOfState(state).map(name => `${name} ${transactionId}`),
  )
  return [
    sql`
      DELETE FROM jobs WHERE transaction_id = ANY (${known.map(({ transactionId }) => transactionId)}::text[])
        AND late_call_key IS NULL AND name || ' ' || transaction_id <> ALL (${kept}::text[])`,
  ]
}

const deleteFinishedJobs = (finished: readonly number[]): Sql[] =>
  finished.length === 0 ? [] : [sql`DELETE FROM jobs WHERE job_id = ANY (${[...finished]}::bigint[])`]

const useCodes = (changed: readonly SavedChange[]): Sql[] => {
  const used = changed.filter(({ usedCodeId }) => usedCodeId !== undefined)
  if (used.length === 0) return []
  const codes = used.map(({ usedCodeId }) => usedCodeId)
  return [
    sql`
      UPDATE blik_codes SET transaction_id = (${used.map(({ change }) => change.payment.transactionId)}::text[])[
        array_position(${codes}::text[], code_id)]
      WHERE code_id = ANY (${codes}::text[])`,
  ]
}
