import pg from 'pg'
import type { Payment } from '../simulator/payments/payment.ts'
import { openPostgresStore } from '../simulator/store/postgres/store.ts'
import { seededChance } from '../test/support/chance.ts'
import { schemaFor } from '../test/support/schema.ts'
import { microsecondsOf } from './growth.ts'
import type { Growth } from './growth-table.ts'
import { ACCOUNTS, openInside, requestOf } from './inside.ts'

const FIRST = 'org-0'
const ORGANIZATIONS = 500
const MILLION = 1_000_000
/** The smallest has a full page for each organization. */
const SIZES = [100_000, MILLION]

export const tenantSizesOf = ({ quick, tenMillion }: { quick: boolean; tenMillion: boolean }): number[] =>
  quick ? [10_000, 20_000] : tenMillion ? [...SIZES, 10 * MILLION] : SIZES

/** What a call takes in a PostgreSQL of many organizations, each with accounts of its own, that grows from size to size. */
export const measureTenantGrowth = async (
  database: string,
  sizes: readonly number[],
  tell: (line: string) => void,
): Promise<Growth> => {
  const url = await schemaFor(database)
  const { call, made, close } = await openInside(await openPostgresStore(url), FIRST)
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

/** Of any payment, hence of any organization. */
const timesOf = async (call: Awaited<ReturnType<typeof openInside>>['call'], payments: number) => {
  const chance = seededChance(1)
  const anyOf = () => chance.below(payments)
  const ownerOf = (number: number) => `org-${number % ORGANIZATIONS}`
  const calls: Record<string, (number: number) => Promise<unknown>> = {
    'search by reference': number => call('search', { clientTransactionId: `order-${number}` }, ownerOf(number)),
    'newest page': number => call('search', {}, ownerOf(number)),
    status: number => call('status', { transactionId: `payment-${number}` }, ownerOf(number)),
    initiate: number => call('initiate', requestOf(ownerOf(number)), ownerOf(number)),
  }
  const microseconds: Record<string, number> = {}
  for (const [name, one] of Object.entries(calls)) microseconds[name] = await microsecondsOf(() => one(anyOf()))
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

/** Settled payments with their events, a second apart, dealt out to the organizations in turns and then to their accounts. */
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
     INSERT INTO events (transaction_id, record)
     SELECT transaction_id, ($6::jsonb || jsonb_build_object('at', created_at))::text FROM settled`,
    [from, to, made.amount, JSON.stringify(record), made.createdAt - 20_000 * MILLION, JSON.stringify(event)],
  )
  await loader.query('VACUUM (ANALYZE) payments, events')
}
