import type { Database } from 'better-sqlite3'
import type { Payment, PaymentEvent } from '../../payments/payment.ts'
import { type IdempotencyKeyRow, type RecordRow, toIdempotentReply } from '../row-mapping.ts'
import type { Loaded, UnitOfWork } from '../unit-of-work.ts'
import type { Tables } from './open-table-groups.ts'
import { openPaymentSearch } from './payment-search.ts'

/** Creates the function that loads the read set of a unit of work from SQLite, in the transaction of the caller. */
export const openReadSets = (
  database: Database,
  { mandates, faults, lateCalls, mocks, blikCodes, ledger, webhooks }: Tables,
): ((unit: UnitOfWork<unknown>) => Loaded) => {
  const search = openPaymentSearch(database)
  const existingRowsOf = openExistenceCheck(database)
  const paymentRow = database.prepare<[number, string, string], RecordRow & { is_job_due: number }>(`
    SELECT record, EXISTS (SELECT 1 FROM jobs WHERE jobs.transaction_id = payments.transaction_id AND due_at <= ?) AS is_job_due
    FROM payments WHERE transaction_id = ? AND organization_id = ?`)
  const eventRows = database.prepare<[string], RecordRow>(
    'SELECT record FROM payment_events WHERE transaction_id = ? ORDER BY event_id',
  )
  /** Oldest first; the last one counts. */
  const idempotencyKeyRows = database.prepare<
    [{ organizationId: string; key: string; now: number }],
    IdempotencyKeyRow
  >(`
    SELECT request_fingerprint, response_status, response_body FROM idempotency_keys INDEXED BY idempotency_keys_by_hash
    WHERE hash = hash_of(@organizationId, @key) AND organization_id = @organizationId AND idempotency_key = @key
      AND expires_at > @now`)

  return ({ organizationId, now, needs }) => {
    const { transactionId, blikCode, key, providerCall } = needs
    const row = transactionId === undefined ? undefined : paymentRow.get(now, transactionId, organizationId)
    const known = key === undefined ? undefined : idempotencyKeyRows.all({ organizationId, key, now }).at(-1)
    const events = needs.events && transactionId !== undefined && row ? eventRows.all(transactionId) : []
    const payment = row && (JSON.parse(row.record) as Payment)
    const mandate = needs.mandate && mandates.find(organizationId, needs.mandate, now)
    const existing = providerCall !== undefined || needs.subscriptions ? existingRowsOf(organizationId) : {}
    return {
      payment,
      isJobDue: row?.is_job_due === 1,
      events: events.map(({ record }) => JSON.parse(record) as PaymentEvent),
      blikCode: blikCode === undefined ? undefined : blikCodes.live(organizationId, blikCode, now),
      idempotentReply: known && toIdempotentReply(known),
      mandate,
      paymentPage: needs.payments && search(organizationId, needs.payments),
      ledgerEntries: needs.ledgerEntries ? ledger.list(organizationId, needs.ledgerEntries) : [],
      faults: providerCall === undefined || !existing.faults ? [] : faults.armedFor(organizationId, providerCall),
      faultTriggerCount:
        providerCall === undefined || key === undefined || !existing.faultsMet
          ? 0
          : faults.triggerCount(organizationId, key, now),
      mocks:
        providerCall === undefined || !existing.mocks
          ? []
          : mocks.candidates(organizationId, now, needs.mockKeys, payment, mandate),
      lateCall:
        providerCall === undefined || !existing.late ? undefined : lateCalls.find(organizationId, key, transactionId),
      subscriptions: needs.subscriptions ? webhooks.subscriptions(organizationId, existing) : undefined,
    }
  }
}

/** Result of the check: 1 for each kind of row that an organization has, 0 for each that it has not. */
type ExistingRows = { faults: number; faultsMet: number; mocks: number; late: number; endpoints: number; plans: number }

/**
 * Checks in one statement which of faults, fault counts, mocks, late calls, endpoints and delivery plans exist for an
 * organization. Most calls find none: the six queries that this saves take 7 % of the
 * processor time of a unit of work. Expired rows count too.
 */
const openExistenceCheck = (database: Database): ((organizationId: string) => Partial<ExistingRows>) => {
  const exists = (from: string) => `EXISTS (SELECT 1 FROM ${from} organization_id = wanted)`
  const query = database.prepare<[string], ExistingRows>(`
    SELECT ${exists('faults WHERE')} AS faults, ${exists('fault_trigger_counts WHERE')} AS faultsMet,
      ${exists('mocks WHERE')} AS mocks, ${exists('jobs WHERE late_call_key IS NOT NULL AND')} AS late,
      ${exists('webhook_endpoints WHERE')} AS endpoints, ${exists('delivery_plans WHERE')} AS plans
    FROM (SELECT ? AS wanted)`)
  return organizationId => query.get(organizationId) ?? {}
}
