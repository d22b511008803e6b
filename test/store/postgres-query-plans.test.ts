import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFaultMockAndDueJobStore } from '../../simulator/store/faults-mocks-and-due-jobs.ts'
import { createPhoneCodeAndMandateStore } from '../../simulator/store/phones-codes-and-mandates.ts'
import { listLedgerEntries } from '../../simulator/store/postgres/ledger-entries.ts'
import { loadReadSet } from '../../simulator/store/postgres/load-read-set.ts'
import { searchPayments } from '../../simulator/store/postgres/payment-search.ts'
import type { Pool } from '../../simulator/store/postgres/pool.ts'
import { createRetentionStore } from '../../simulator/store/postgres/retention.ts'
import { createScheduleStore } from '../../simulator/store/postgres/scheduled-items-and-clocks.ts'
import { connectionTo } from '../../simulator/store/postgres/server-connections.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { createDeliveryStore } from '../../simulator/store/postgres/webhook-deliveries.ts'
import type { Db } from '../../simulator/store/sql-statements.ts'
import { createMessageAndPlanStore } from '../../simulator/store/webhook-messages-and-plans.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()
const ORGANIZATIONS = 20
const PAYMENTS = 20_000
const BUSY = 'org-0'
const QUIET = 'org-7'

type Ran = Partial<
  Record<'Actual Rows' | 'Actual Loops' | 'Rows Removed by Filter' | 'Rows Removed by Index Recheck', number>
> & { Plans?: Ran[] }
type Plan = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; Plans?: Plan[] }

/** Statements that insert payments, half of them of one organization, with rows of every kind. */
const FILL = [
  `INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id, status,
     amount, created_at, record)
   SELECT 't' || n, 'org-' || CASE WHEN n % 2 = 0 THEN 0 ELSE n % ${ORGANIZATIONS} END, 'a', 'r' || n, 'p' || n % 100, 'IRIS',
     CASE WHEN n % 3 = 0 THEN 'PENDING' ELSE 'APPROVED' END, n, n, '{}' FROM generate_series(1, ${PAYMENTS}) AS n`,
  `INSERT INTO payment_events (transaction_id, record) SELECT transaction_id, '{}' FROM payments`,
  `INSERT INTO jobs (organization_id, due_at, name, transaction_id) SELECT organization_id, created_at, 'expire', transaction_id FROM payments`,
  `INSERT INTO idempotency_keys (organization_id, idempotency_key, request_fingerprint, response_status, response_body, expires_at)
   SELECT organization_id, transaction_id, 'f', 200, '{}', 9 FROM payments`,
  `INSERT INTO messages (message_id, organization_id, notification_id, type, transaction_id, client_transaction_id, body,
     due_at, variation, is_from_plan, in_inbox)
   SELECT 's' || created_at, organization_id, 'n', 'PAYMENT_CAPTURE', transaction_id, client_transaction_id, '{}', created_at,
     '{}', 0, CASE WHEN created_at <= 15000 THEN 0 ELSE 1 END FROM payments`,
  `INSERT INTO deliveries (delivery_id, organization_id, endpoint_id, message_id, first_due_at, due_at, attempt_count, state)
   SELECT 'd' || due_at, organization_id, 'e-' || organization_id, message_id, due_at, CASE WHEN due_at % 100 = 0 THEN due_at END,
     1, 'delivered' FROM messages`,
  `INSERT INTO delivery_attempts (organization_id, delivery_id, record) SELECT organization_id, delivery_id, '{}' FROM deliveries`,
  `INSERT INTO activities (organization_id, transaction_id, ended_at, record)
   SELECT organization_id, CASE WHEN created_at % 4 > 0 THEN transaction_id END, created_at, '{}' FROM payments`,
  `INSERT INTO mandates (payment_token, organization_id, account_id, payer_id, provider_id, created_at, expires_at)
   SELECT 'm' || created_at, organization_id, 'a', payer_id, 'BLIK', created_at, created_at FROM payments`,
  `INSERT INTO ledger_entries (organization_id, account_id, transaction_id, kind, capture_or_refund_id, client_transaction_id, amount, currency, booked_at)
   SELECT organization_id, 'a', transaction_id, 'capture', 'm', 'r', 1, 'EUR', created_at FROM payments`,
  `INSERT INTO organizations (organization_id, account_ids, kit)
   SELECT 'org-' || n, '["a"]', '{}' FROM generate_series(0, ${ORGANIZATIONS} - 1) AS n`,
  'ANALYZE',
]

describe.skipIf(postgres === undefined)('query plans of PostgreSQL', () => {
  let client: pg.Client
  let plans: Plan[]

  /** Runs statements and records their plans. */
  const watched: Db = {
    rows: async <Row>({ text, values }: Sql) => {
      const explained = await client.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values })
      plans.push(explained.rows[0]['QUERY PLAN'][0].Plan)
      return (await client.query({ text, values })).rows as Row[]
    },
    run: async statement => (await watched.rows(statement)).length,
  }
  const plansOf = async (act: (db: Db) => Promise<unknown>): Promise<Plan[]> => {
    plans = []
    await act(watched)
    const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)]
    expect(plans.length).toBeGreaterThan(0)
    return plans.flatMap(all)
  }
  const nodesOf = async (act: (db: Db) => Promise<unknown>) => (await plansOf(act)).map(plan => plan['Node Type'])

  /** Number of rows that the statements of an action read, including filtered ones, over all plan nodes and loops. */
  const rowsRead = async (act: (pool: Pool) => Promise<unknown>): Promise<number> => {
    let rows = 0
    const count = ({ 'Actual Rows': fit = 0, 'Actual Loops': loops = 1, Plans = [], ...node }: Ran): void => {
      rows += loops * (fit + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0))
      Plans.forEach(count)
    }
    const counting: Pool = {
      with: act => act(counting),
      most: 1,
      count: () => ({ open: 1, idle: 0, waiting: 0 }),
      end: async () => undefined,
      rows: async <Row>({ text, values }: Sql) => {
        await client.query('SAVEPOINT here')
        const explained = await client.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values })
        await client.query('ROLLBACK TO here')
        count(explained.rows[0]['QUERY PLAN'][0].Plan)
        return (await client.query({ text, values })).rows as Row[]
      },
      run: async statement => (await counting.rows(statement)).length,
      begin: act => act(counting),
      transact: act => act({ ...counting, commit: async () => undefined }),
    }
    await client.query('BEGIN')
    await act(counting)
    await client.query('ROLLBACK')
    return rows
  }

  beforeAll(async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    await (await openPostgresStore(url)).close()
    client = new pg.Client(connectionTo(url, 'plans'))
    await client.connect()
    for (const text of FILL) await client.query(text)
  }, 60_000)
  afterAll(async () => {
    await client?.end()
    postgres?.remove()
  }, 60_000)

  // biome-ignore format: a table reads by its columns
  test.each([
    [{}], [{ after: 't4000' }], [{ createdFrom: 1, createdTo: 9_000 }], [{ createdTo: 9_000, after: 't4000' }],
    [{ status: 'PENDING' as const }],
  ])('a page of %o is read by the time index, without scan and sort', async query => {
    const nodes = await nodesOf(db => searchPayments(db, BUSY, { limit: 20, ...query }))
    expect(nodes.filter(node => /Seq Scan|Sort|Bitmap/.test(node))).toEqual([])
  })

  // A few rows may be sorted, and so may the bounded range that one page scans.
  test.each([
    [{ clientTransactionId: 'r4000' }, 'payments_by_client_transaction_id'],
    [{ payerId: 'p2', createdFrom: 1 }, 'payments_by_payer'],
  ])('%o is found by its own index', async (query, index) => {
    const found = await plansOf(db => searchPayments(db, BUSY, { limit: 20, ...query }))
    expect(found.filter(plan => /Seq Scan/.test(plan['Node Type']))).toEqual([])
    expect(found.map(plan => plan['Index Name'])).toContain(index)
  })

  const page = { limit: 20 }
  const all = { now: PAYMENTS, order: 'newest' as const, ...page }
  // biome-ignore format: a table reads by its columns
  const READS: Record<string, (pool: Pool) => Promise<unknown>> = {
    'the inbox':                          pool => createMessageAndPlanStore(pool).inbox(QUIET, all),
    'the inbox of a payment':             pool => createMessageAndPlanStore(pool).inbox(BUSY, { ...all, transactionId: 't4000' }),
    'the inbox of a reference':           pool => createMessageAndPlanStore(pool).inbox(BUSY, { ...all, clientTransactionId: 'r4000' }),
    'the inbox behind a message':         pool => createMessageAndPlanStore(pool).inbox(BUSY, { ...all, order: 'oldest', after: 's19000' }),
    'an inbox that was cleared':          pool => createMessageAndPlanStore(pool).inbox(BUSY, { ...all, order: 'oldest' }),
    'the newest deliveries':              pool => createDeliveryStore(pool, '').deliveries(QUIET, page),
    'the deliveries of a payment':        pool => createDeliveryStore(pool, '').deliveries(BUSY, { transactionId: 't4000', ...page }),
    'activities of a payment':            pool => createFaultMockAndDueJobStore(pool).activities(BUSY, 't4001', PAYMENTS - 50),
    'scheduled items':                    pool => createScheduleStore(pool).scheduledItems(BUSY, page),
    'scheduled items of a payment':       pool => createScheduleStore(pool).scheduledItems(BUSY, { transactionId: 't4000', ...page }),
    'the newest mandates':                pool => createPhoneCodeAndMandateStore(pool).mandates(QUIET, 20),
    'a day of an account\'s books':       pool => listLedgerEntries(pool, BUSY, { accountIds: ['a'], from: 100, to: 200 }),
    'expired rows':                       pool => createRetentionStore(pool).deleteExpired(BUSY, { expired: 9, blikCodes: 60, messages: 60, payments: 60, ledgerEntries: 60 }, 20),
  }
  test.each(Object.entries(READS))('8: %s: fewer than 1,000 rows are read', async (_name, read) => {
    const rows = await rowsRead(read)
    expect(rows).toBeLessThan(1_000)
  })

  test('a payment, its events and its idempotency key are found by indexes', async () => {
    const needs = { transactionId: 't4000', events: true, key: 't4000' }
    const unit = { organizationId: BUSY, now: 0, needs, decide: () => ({ result: undefined }) }
    const nodes = await nodesOf(db => loadReadSet(db, unit))
    expect(nodes.filter(node => /Seq Scan|Sort/.test(node))).toEqual([])
  })
})
