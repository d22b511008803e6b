import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionTo, type Db } from '../../simulator/store/postgres/open.ts'
import { searchPayments } from '../../simulator/store/postgres/search.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { load } from '../../simulator/store/postgres/units.ts'
import { startPostgres } from '../support/postgres.ts'
import { schemaFor } from '../support/schema.ts'

const postgres = await startPostgres()
const ORGANIZATIONS = 20
const PAYMENTS = 20_000
const BUSY = 'org-0'

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }

/** Payments a second apart: half of them of one organization, the rest dealt out to the others. */
const FILL = [
  `INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id, status,
     amount, created_at, record)
   SELECT 't' || n, 'org-' || CASE WHEN n % 2 = 0 THEN 0 ELSE n % ${ORGANIZATIONS} END, 'a', 'r' || n, 'p' || n % 100, 'IRIS',
     CASE WHEN n % 3 = 0 THEN 'PENDING' ELSE 'APPROVED' END, n, n, '{}' FROM generate_series(1, ${PAYMENTS}) AS n`,
  `INSERT INTO events (transaction_id, record) SELECT transaction_id, '{}' FROM payments`,
  `INSERT INTO jobs (organization_id, due_at, name, transaction_id) SELECT organization_id, created_at, 'expire', transaction_id FROM payments`,
  `INSERT INTO remembered (organization_id, key, fingerprint, http, body, expires_at)
   SELECT organization_id, transaction_id, 'f', 200, '{}', 9 FROM payments`,
  'ANALYZE payments, events, jobs, remembered',
]

describe.skipIf(postgres === undefined)('how PostgreSQL finds what it is asked for', () => {
  let client: pg.Client
  let plans: Plan[]

  /** Runs each statement, and keeps how. */
  const watched: Db = {
    rows: async <Row>({ text, values }: Sql) => {
      const explained = await client.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values })
      plans.push(explained.rows[0]['QUERY PLAN'][0].Plan)
      return (await client.query({ text, values })).rows as Row[]
    },
    run: async statement => (await watched.rows(statement)).length,
  }
  const nodesOf = async (act: (db: Db) => Promise<unknown>) => {
    plans = []
    await act(watched)
    const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)]
    expect(plans.length).toBeGreaterThan(0)
    return plans.flatMap(all).map(plan => plan['Node Type'])
  }

  beforeAll(async () => {
    const url = await schemaFor(postgres?.url ?? '')
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
  ])('a page of %o goes along an index by time: nothing is scanned, nothing is sorted', async query => {
    const nodes = await nodesOf(db => searchPayments(db, BUSY, { limit: 20, ...query }))
    expect(nodes.filter(node => /Seq Scan|Sort|Bitmap/.test(node))).toEqual([])
  })

  // A handful of rows may well be sorted, and so may the stretch through which one page may look.
  test.each([[{ clientTransactionId: 'r4000' }], [{ payerId: 'p2', createdFrom: 1 }]])(
    '%o is found by an index',
    async query => {
      const nodes = await nodesOf(db => searchPayments(db, BUSY, { limit: 20, ...query }))
      expect(nodes.filter(node => /Seq Scan/.test(node))).toEqual([])
    },
  )

  test('a payment, its events and its key are found by an index', async () => {
    const needs = { transactionId: 't4000', events: true, key: 't4000' }
    const unit = { organizationId: BUSY, now: 0, needs, decide: () => ({ result: undefined }) }
    const nodes = await nodesOf(db => load(db, unit))
    expect(nodes.filter(node => /Seq Scan|Sort/.test(node))).toEqual([])
  })
})
