import sql from 'sql-template-tag'
import type { Payment, PaymentEvent } from '../../payments/payment.ts'
import {
  type BlikCodeRow,
  type IdempotencyKeyRow,
  type RecordRow,
  toBlikCode,
  toIdempotentReply,
} from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'
import type { Loaded, UnitOfWork } from '../unit-of-work.ts'
import { loadArmedFaults, loadFaultTriggerCount } from './armed-faults.ts'
import { listLedgerEntries } from './ledger-entries.ts'
import { findMandate } from './mandates.ts'
import { searchPayments } from './payment-search.ts'
import { findLateCall } from './pending-provider-calls.ts'
import { loadCandidateMocks } from './provider-mocks.ts'
import { type RowLock, WITHOUT_LOCK } from './query-fragments.ts'
import { findClock } from './scheduled-items-and-clocks.ts'
import { loadSubscriptions } from './webhook-endpoints-and-delivery-plans.ts'

/**
 * Loads the read set of a unit of work from PostgreSQL in one round trip, after its locks, to see what was committed
 * before them. Faults, mocks and delivery plans may be locked, as units of different payments use them up.
 */
export const loadReadSet = async (
  db: Db,
  { organizationId, now, needs }: UnitOfWork<unknown>,
  lock: RowLock = WITHOUT_LOCK,
): Promise<Loaded> => {
  const { transactionId, blikCode, key, providerCall } = needs
  const ask = <Wanted, Found>(wanted: Wanted | undefined, query: (wanted: Wanted) => Promise<Found>) =>
    wanted === undefined ? undefined : query(wanted)
  const [
    payment,
    events,
    code,
    known,
    mandate,
    paymentPage,
    ledgerEntries,
    faults,
    triggerCount,
    mocks,
    lateCall,
    subscriptions,
    clock,
  ] = await Promise.all([
    ask(transactionId, id => paymentRow(db, organizationId, id, now)),
    ask(needs.events ? transactionId : undefined, id => eventRows(db, organizationId, id)),
    ask(blikCode, wanted => codeRow(db, organizationId, wanted, now)),
    ask(key, wanted => idempotencyKeyRow(db, organizationId, wanted, now)),
    ask(needs.mandate, wanted => findMandate(db, organizationId, wanted, now)),
    ask(needs.payments, wanted => searchPayments(db, organizationId, wanted)),
    ask(needs.ledgerEntries, wanted => listLedgerEntries(db, organizationId, wanted)),
    ask(providerCall, wanted => loadArmedFaults(db, organizationId, wanted, lock)),
    ask(providerCall && key, wanted => loadFaultTriggerCount(db, organizationId, wanted, now)),
    ask(providerCall, () => loadCandidateMocks(db, organizationId, now, needs, lock)),
    ask(providerCall, () => findLateCall(db, organizationId, key, transactionId)),
    ask(needs.subscriptions || undefined, () => loadSubscriptions(db, organizationId, lock)),
    ask(needs.clock || undefined, () => findClock(db, organizationId)),
  ])
  return {
    payment: payment?.[0] && (JSON.parse(payment[0].record) as Payment),
    isJobDue: payment?.[0]?.is_job_due ?? false,
    events: events?.map(({ record }) => JSON.parse(record) as PaymentEvent) ?? [],
    blikCode: code?.[0] && toBlikCode(code[0]),
    idempotentReply: known?.[0] && toIdempotentReply(known[0]),
    mandate,
    paymentPage,
    ledgerEntries: ledgerEntries ?? [],
    faults: faults ?? [],
    faultTriggerCount: triggerCount ?? 0,
    mocks: mocks ?? [],
    lateCall,
    subscriptions,
    clock,
  }
}

/** Whether the job that a unit of work finishes is there still; the locks of the unit keep it so. */
export const isJobThere = async (db: Db, { organizationId, needs: { jobId } }: UnitOfWork<unknown>): Promise<boolean> =>
  jobId === undefined ||
  (await db.rows(sql`SELECT job_id FROM jobs WHERE job_id = ${jobId} AND organization_id = ${organizationId}`)).length >
    0

const paymentRow = (db: Db, organizationId: string, transactionId: string, now: number) =>
  db.rows<RecordRow & { is_job_due: boolean }>(sql`
  SELECT record,
    EXISTS (SELECT 1 FROM jobs WHERE jobs.transaction_id = payments.transaction_id AND due_at <= ${now}) AS is_job_due
  FROM payments WHERE transaction_id = ${transactionId} AND organization_id = ${organizationId}`)

const eventRows = (db: Db, organizationId: string, transactionId: string) =>
  db.rows<RecordRow>(sql`
  SELECT payment_events.record FROM payment_events JOIN payments USING (transaction_id)
  WHERE transaction_id = ${transactionId} AND organization_id = ${organizationId} ORDER BY event_id`)

const codeRow = (db: Db, organizationId: string, code: string, now: number) =>
  db.rows<BlikCodeRow>(sql`
  SELECT * FROM blik_codes WHERE organization_id = ${organizationId} AND code = ${code} AND expires_at > ${now}`)

const idempotencyKeyRow = (db: Db, organizationId: string, key: string, now: number) =>
  db.rows<IdempotencyKeyRow>(sql`
  SELECT request_fingerprint, response_status, response_body FROM idempotency_keys
  WHERE organization_id = ${organizationId} AND idempotency_key = ${key} AND expires_at > ${now}`)
