import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import type { Store } from '../../simulator/store/store.ts'
import type { ReadSet } from '../../simulator/store/unit-of-work.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { dueJob, readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

// A sandbox of a CI run is new: PostgreSQL plans its statements while the tables are empty, and by itself gathers no
// statistics in the first minute of a load.
const postgres = await startPostgres('-c fsync=off -c autovacuum=off')

const ROWS = 2_000
const TIMES_UNTIL_A_PLAN_IS_KEPT = 7
/** The last table of those whose statistics are gathered. */
const ANALYZED = `
  SELECT FROM pg_stat_user_tables WHERE relname = 'activities' AND schemaname = current_schema() AND analyze_count > 1`
const REPLY = { fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9_999 }
/** Rows of one organization, all of them valid. */
const FILL = [
  `INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id, status,
     amount, created_at, redirect_id, record)
   SELECT 't' || n, 'shop', 'a', 'r' || n, 'p' || n, 'IRIS', 'PENDING', n, n, 'h' || n, '{}' FROM generate_series(1, ${ROWS}) AS n`,
  `INSERT INTO payment_events (transaction_id, record) SELECT transaction_id, '{}' FROM payments`,
  `INSERT INTO jobs (organization_id, due_at, name, transaction_id) SELECT organization_id, 900 + created_at, 'expire', transaction_id FROM payments`,
  `INSERT INTO idempotency_keys (organization_id, idempotency_key, request_fingerprint, response_status, response_body, expires_at)
   SELECT organization_id, transaction_id, 'f', 200, '{}', 900 + created_at FROM payments`,
  `INSERT INTO fault_trigger_counts SELECT organization_id, transaction_id, 1, 900 + created_at FROM payments`,
  `INSERT INTO blik_codes (code_id, organization_id, code, expires_at) SELECT transaction_id, organization_id, transaction_id, 900 + created_at FROM payments`,
  `INSERT INTO mandates (payment_token, organization_id, account_id, payer_id, provider_id, created_at, expires_at)
   SELECT 'm' || created_at, organization_id, 'a', payer_id, 'BLIK', 0, 900 + created_at FROM payments`,
  `INSERT INTO mocks (organization_id, account_id, key_type, key_value, expires_at, record)
   SELECT organization_id, 'a', 'PAYER_ID', payer_id, 900 + created_at, '{}' FROM payments`,
  `INSERT INTO messages (message_id, organization_id, notification_id, type, transaction_id, client_transaction_id, body,
     due_at, variation, is_from_plan, in_inbox)
   SELECT 's' || created_at, organization_id, 'n', 'PAYMENT_CAPTURE', transaction_id, client_transaction_id, '{}', created_at,
     '{}', 0, 1 FROM payments`,
  `INSERT INTO deliveries (delivery_id, organization_id, endpoint_id, message_id, first_due_at, due_at, attempt_count, state)
   SELECT 'd' || due_at, organization_id, 'e', message_id, due_at, due_at, 1, 'waiting' FROM messages`,
  `INSERT INTO delivery_attempts (organization_id, delivery_id, record) SELECT organization_id, delivery_id, '{}' FROM deliveries`,
  `INSERT INTO activities (organization_id, transaction_id, ended_at, record)
   SELECT organization_id, transaction_id, created_at, '{}' FROM payments`,
]
/** Removes what the acts on empty tables wrote. */
const EMPTY = ['payments', 'payment_events', 'jobs', 'idempotency_keys', 'ledger_entries']
  .map(table => `DELETE FROM ${table}`)
  .join(';')

type Act = (store: Store, at: number) => Promise<unknown>

const read = (store: Store, needs: ReadSet) => readInUnit(store, needs)
const mandateOf = (payerId?: string, paymentToken?: string) =>
  ({ processingAccountId: 'a', providerId: 'BLIK', payerId, paymentToken }) as const
const settled = (at: number) =>
  change(payment(`t${at}`, { state: 'SETTLED' }), [{ name: 'dispute', dueAt: 1_000_000 + at }])

// biome-ignore format: a table reads by its columns
const ACTS: readonly Act[] = [
  (store, at) => read(store, { transactionId: `t${at}`, events: true }),
  (store, at) => read(store, { key: `t${at}` }),
  (store, at) => read(store, { blikCode: `t${at}` }),
  (store, at) => read(store, { mandate: mandateOf(undefined, `m${at}`) }),
  (store, at) => read(store, { mandate: mandateOf(`p${at}`) }),
  (store, at) => read(store, { providerCall: 'refund', transactionId: `t${at}`, key: `t${at}`, mockKeys: { payerId: `p${at}` }, subscriptions: true }),
  (store, at) => read(store, { jobId: at, transactionId: `t${at}` }),
  (store, at) => writeInUnit(store, { change: settled(at), usedCodeId: `t${at}`, finishedJobId: at }),
  (store, at) => writeInUnit(store, { idempotentReply: { ...REPLY, key: `t${at}` } }),
  store => dueJob(store, 'shop', 10_000),
  store => store.dueDelivery('shop', 10_000, []),
  store => store.dueDeliveryTo('shop', 'e', 10_000),
  (store, at) => store.delivery('shop', `d${at}`),
  (store, at) => store.resend('shop', `d${at}`, { at: 1, real: 1 }),
  (store, at) => store.deliveries('shop', { transactionId: `t${at}`, limit: 10 }),
  (store, at) => store.inbox('shop', { transactionId: `t${at}`, now: 10_000, order: 'newest', limit: 10 }),
  store => store.inbox('shop', { now: 10_000, order: 'newest', limit: 10 }),
  (store, at) => store.scheduledItems('shop', { transactionId: `t${at}`, limit: 10 }),
  store => store.scheduledItems('shop', { limit: 10 }),
  (store, at) => store.activities('shop', `t${at}`, 10_000),
  (store, at) => store.paymentByRedirect(`h${at}`),
  (store, at) => read(store, { isReadOnly: true, payments: { clientTransactionId: `r${at}`, limit: 10 } }),
  store => read(store, { isReadOnly: true, payments: { limit: 10 } }),
  (store, at) => read(store, { isReadOnly: true, payments: { limit: 10, after: `t${at + 100}` } }),
  (store, at) => store.blikCodeById('shop', `t${at}`),
  (store, at) => store.liveBlikCode('shop', `t${at}`, 1),
  (store, at) => store.revokeMandate('shop', `m${at}`, 1),
]

/** Indexes and tables of which a scan takes many rows. */
const MANY = `
  SELECT name FROM (
    SELECT indexrelname AS name, idx_scan AS scans, idx_tup_read AS rows, schemaname FROM pg_stat_user_indexes
    UNION ALL SELECT relname, seq_scan, seq_tup_read, schemaname FROM pg_stat_user_tables) AS scanned
  WHERE schemaname = current_schema() AND rows > 50 * scans ORDER BY name`

test.skipIf(postgres === undefined)(
  '8: calls on a new sandbox take few rows, by plans from before its tables had any',
  async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const store = await openPostgresStore(url, () => undefined, 2)
    const client = new pg.Client(url)
    onTestFinished(async () => {
      await client.end()
      postgres?.remove()
    })
    await client.connect()
    await store.addOrganization(organization('shop'))
    const several = (count: number, act: Act) =>
      Promise.all(Array.from({ length: count }, (_, at) => act(store, at + 1)))
    for (let times = 0; times < TIMES_UNTIL_A_PLAN_IS_KEPT; times += 1) for (const act of ACTS) await several(3, act)
    await client.query(EMPTY)
    for (const text of FILL) await client.query(text)
    await several(1_024, (_, at) => writeInUnit(store, { idempotentReply: { ...REPLY, key: `new ${at}` } }))
    await expect.poll(async () => (await client.query(ANALYZED)).rowCount).toBeGreaterThan(0)
    await client.query('SELECT pg_stat_reset()')
    for (const act of ACTS) await several(20, act)
    await store.close() // its sessions report what they have read
    expect((await client.query(MANY)).rows).toEqual([])
  },
)
