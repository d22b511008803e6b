import pg from 'pg'
import type { Payment } from '../../simulator/payments/payment.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { createPostgresSchema } from '../../test/support/create-postgres-schema.ts'
import { seededRandom } from '../../test/support/seeded-random.ts'
import type { Growth } from '../growth/growth-table.ts'
import { ACCOUNTS, initiateBodyOf, openInProcessSimulator } from '../growth/in-process-simulator.ts'
import { median, rotated } from '../load/statistics.ts'

const FIRST = 'org-0'
const ORGANIZATIONS = 500
const MILLION = 1_000_000
/** Numbers of payments to measure at; the smallest gives each organization a full page of search results. */
const SIZES = [100_000, MILLION]

export const paymentCounts = ({ quick, tenMillion }: { quick: boolean; tenMillion: boolean }): number[] =>
  quick ? [10_000, 20_000] : tenMillion ? [...SIZES, 10 * MILLION] : SIZES

/**
 * Measures the median duration of calls on a PostgreSQL of many organizations, at each number of payments: all in turn,
 * as ratios hold whatever else the machine does.
 */
export const measurePaymentGrowth = async (
  database: string,
  sizes: readonly number[],
  tell: (line: string) => void,
): Promise<Growth> => {
  const sandboxes: Sandbox[] = []
  try {
    for (const payments of sizes) {
      tell(`loading ${payments.toLocaleString('en')} payments`)
      const sandbox = await openSandbox(await createPostgresSchema(database), payments)
      sandboxes.push(sandbox)
      await sandbox.fill()
    }
    for (const { warm } of sandboxes.toReversed()) await warm()
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [at, name] of OPERATIONS.entries())
        for (const { calls, times } of rotated(sandboxes, round + at)) {
          const measured = await timesOf(calls[name])
          if (round > 0) times[name].push(...measured) // the first round warms up
        }
    return sandboxes.map(({ payments, times }) => ({ payments, microseconds: mapValues(times, median) }))
  } finally {
    for (const { close } of sandboxes) await close()
  }
}

const ROUNDS = 10
const CALLS = 100

const OPERATIONS = ['search by reference', 'newest page', 'status', 'initiate'] as const
type ByOperation<Value> = Record<(typeof OPERATIONS)[number], Value>
const mapValues = <Value, Result>(values: ByOperation<Value>, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)])) as ByOperation<Result>

/** A sandbox with a number of payments, calls for a random one of which, and their durations in microseconds. */
type Sandbox = {
  payments: number
  calls: ByOperation<() => Promise<unknown>>
  times: ByOperation<number[]>
  /** Inserts its payments. */
  fill(): Promise<void>
  /** Brings its tables and then its indexes into memory, where those of a sandbox in use are. */
  warm(): Promise<void>
  close(): Promise<void>
}

const openSandbox = async (url: string, payments: number): Promise<Sandbox> => {
  const { call, made, close } = await openInProcessSimulator(await openPostgresStore(url), FIRST)
  const loader = new pg.Client(url)
  await loader.connect()
  const fill = async () => {
    await addOrganizations(loader)
    await addPayments(loader, made, payments)
  }
  const warm = async () => void (await loader.query(PREWARM))
  const closeAll = async () => {
    await loader.end()
    await close()
  }
  const chance = seededRandom(1)
  const ofAny = (act: (number: number, owner: string) => Promise<unknown>) => () => {
    const number = chance.below(payments)
    return act(number, `org-${number % ORGANIZATIONS}`)
  }
  const calls = {
    'search by reference': ofAny((number, owner) => call('search', { clientTransactionId: `order-${number}` }, owner)),
    'newest page': ofAny((_, owner) => call('search', {}, owner)),
    status: ofAny((number, owner) => call('status', { transactionId: `payment-${number}` }, owner)),
    initiate: ofAny((_, owner) => call('initiate', initiateBodyOf(owner), owner)),
  }
  return { payments, calls, times: mapValues(calls, () => []), fill, warm, close: closeAll }
}

const PREWARM = `
  CREATE EXTENSION IF NOT EXISTS pg_prewarm SCHEMA pg_catalog;
  SELECT pg_prewarm(oid) FROM (
    SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')
    ORDER BY relkind = 'i' OFFSET 0) AS relations`

/** Durations of a number of calls, in microseconds. */
const timesOf = async (call: () => Promise<unknown>): Promise<number[]> => {
  const times: number[] = []
  for (let number = 0; number < CALLS; number += 1) {
    const start = performance.now()
    await call()
    times.push((performance.now() - start) * 1_000)
  }
  return times
}

const addOrganizations = (loader: pg.Client) =>
  loader.query(
    `INSERT INTO organizations (organization_id, account_ids, kit)
     SELECT 'org-' || number, (SELECT json_agg('org-' || number || '-account-' || account)::text
       FROM generate_series(1, $2) AS account), '{}'
     FROM generate_series(1, $1::int - 1) AS number`,
    [ORGANIZATIONS, ACCOUNTS],
  )

/** Inserts settled payments with events, one second apart, spread evenly over organizations and accounts. */
const addPayments = async (loader: pg.Client, made: Payment, payments: number) => {
  const { redirectId: _, ...provider } = made.provider
  const record = { ...made, provider, state: 'SETTLED', captured: made.amount, settled: made.amount }
  const event = { type: 'payment.settled', cause: 'settle', state: 'SETTLED', statusInfo: made.statusInfo }
  await loader.query(
    `WITH settled AS (
       INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id,
         status, amount, created_at, record)
       SELECT id, organization, account, reference, payer, 'IRIS', 'APPROVED', $2, created, ($3::jsonb ||
         jsonb_build_object('transactionId', id, 'processingAccountId', account, 'clientTransactionId', reference,
           'payerId', payer, 'createdAt', created))::text
       FROM generate_series(0, $1::int - 1) AS number CROSS JOIN LATERAL (SELECT
         'payment-' || number AS id, 'org-' || number % ${ORGANIZATIONS} AS organization,
         'org-' || number % ${ORGANIZATIONS} || '-account-' || number / ${ORGANIZATIONS} % ${ACCOUNTS} + 1 AS account,
         'order-' || number AS reference, 'payer-' || number % 1000 AS payer, $4::bigint + 1000::bigint * number AS created) AS made
       RETURNING transaction_id, created_at)
     INSERT INTO payment_events (transaction_id, record)
     SELECT transaction_id, ($5::jsonb || jsonb_build_object('at', created_at))::text FROM settled`,
    [payments, made.amount, JSON.stringify(record), made.createdAt - 20_000 * MILLION, JSON.stringify(event)],
  )
  await loader.query('VACUUM (ANALYZE) payments, payment_events')
}
