import pg from 'pg'
import type { Payment } from '../../simulator/payments/payment.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { createPostgresSchema } from '../../test/support/create-postgres-schema.ts'
import { seededRandom } from '../../test/support/seeded-random.ts'
import type { Growth } from '../growth/growth-table.ts'
import { ACCOUNTS, initiateBodyOf, openInProcessSimulator } from '../growth/in-process-simulator.ts'
import { medianMicroseconds } from '../growth/measure-growth.ts'

const FIRST = 'org-0'
const ORGANIZATIONS = 500
const MILLION = 1_000_000
/** Numbers of payments to measure at; the smallest gives each organization a full page of search results. */
const SIZES = [100_000, MILLION]

export const paymentCounts = ({ quick, tenMillion }: { quick: boolean; tenMillion: boolean }): number[] =>
  quick ? [10_000, 20_000] : tenMillion ? [...SIZES, 10 * MILLION] : SIZES

/** Measures the median duration of calls on a PostgreSQL of many organizations, at each number of payments. */
export const measurePaymentGrowth = async (
  database: string,
  sizes: readonly number[],
  tell: (line: string) => void,
): Promise<Growth> => {
  const url = await createPostgresSchema(database)
  const { call, made, close } = await openInProcessSimulator(await openPostgresStore(url), FIRST)
  const loader = new pg.Client(url)
  await loader.connect()
  try {
    await addOrganizations(loader)
    const growth: Growth = []
    for (const [at, payments] of sizes.entries()) {
      tell(`loading up to ${payments.toLocaleString('en')} payments`)
      await addPayments(loader, made, { from: sizes[at - 1] ?? 0, to: payments })
      growth.push({ payments, microseconds: await timesOf(call, payments) })
    }
    return growth
  } finally {
    await loader.end()
    await close()
  }
}

/** Measures the median duration of each operation on random payments, hence of random organizations. */
const timesOf = async (call: Awaited<ReturnType<typeof openInProcessSimulator>>['call'], payments: number) => {
  const chance = seededRandom(1)
  const anyOf = () => chance.below(payments)
  const ownerOf = (number: number) => `org-${number % ORGANIZATIONS}`
  const calls: Record<string, (number: number) => Promise<unknown>> = {
    'search by reference': number => call('search', { clientTransactionId: `order-${number}` }, ownerOf(number)),
    'newest page': number => call('search', {}, ownerOf(number)),
    status: number => call('status', { transactionId: `payment-${number}` }, ownerOf(number)),
    initiate: number => call('initiate', initiateBodyOf(ownerOf(number)), ownerOf(number)),
  }
  const microseconds: Record<string, number> = {}
  for (const [name, one] of Object.entries(calls)) microseconds[name] = await medianMicroseconds(() => one(anyOf()))
  return microseconds
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
const addPayments = async (loader: pg.Client, made: Payment, { from, to }: { from: number; to: number }) => {
  const { redirectId: _, ...provider } = made.provider
  const record = { ...made, provider, state: 'SETTLED', captured: made.amount, settled: made.amount }
  const event = { type: 'payment.settled', cause: 'settle', state: 'SETTLED', statusInfo: made.statusInfo }
  await loader.query(
    `WITH settled AS (
       INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id,
         status, amount, created_at, record)
       SELECT id, organization, account, reference, payer, 'IRIS', 'APPROVED', $3, created, ($4::jsonb ||
         jsonb_build_object('transactionId', id, 'processingAccountId', account, 'clientTransactionId', reference,
           'payerId', payer, 'createdAt', created))::text
       FROM generate_series($1::int, $2::int - 1) AS number CROSS JOIN LATERAL (SELECT
         'payment-' || number AS id, 'org-' || number % ${ORGANIZATIONS} AS organization,
         'org-' || number % ${ORGANIZATIONS} || '-account-' || number / ${ORGANIZATIONS} % ${ACCOUNTS} + 1 AS account,
         'order-' || number AS reference, 'payer-' || number % 1000 AS payer, $5::bigint + 1000::bigint * number AS created) AS made
       RETURNING transaction_id, created_at)
     INSERT INTO payment_events (transaction_id, record)
     SELECT transaction_id, ($6::jsonb || jsonb_build_object('at', created_at))::text FROM settled`,
    [from, to, made.amount, JSON.stringify(record), made.createdAt - 20_000 * MILLION, JSON.stringify(event)],
  )
  await loader.query('VACUUM (ANALYZE) payments, payment_events')
}
