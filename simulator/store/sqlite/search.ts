import type { Database } from 'better-sqlite3'
import type { Payment } from '../../payments/payment.ts'
import type { PaymentQuery, PaymentsFound } from '../port.ts'

type Criterion = Exclude<keyof PaymentQuery, 'limit' | 'after'>
type Place = { payment_id: number; transaction_id: string; created_at: number }

// biome-ignore format: a table reads by its columns
const CONDITIONS: Readonly<Record<Criterion, string>> = {
  createdFrom:         'created_at >= @createdFrom',
  createdTo:           'created_at <= @createdTo',
  clientTransactionId: 'client_transaction_id = @clientTransactionId',
  payerId:             'payer_id = @payerId',
  status:              'status = @status',
  accountId:           'account_id = @accountId',
  providerId:          'provider_id = @providerId',
  amountFrom:          'amount >= @amountFrom',
  amountTo:            'amount <= @amountTo',
}

/** The criterion that each index narrows down to, the sharpest first; all of them go on by time. */
const INDEXES = [
  ['clientTransactionId', 'payments_by_reference'],
  ['payerId', 'payments_by_payer'],
  ['status', 'payments_by_status'],
] as const

const TIMES: readonly Criterion[] = ['createdFrom', 'createdTo']
const NEWEST_FIRST = 'ORDER BY created_at DESC, payment_id DESC'

/** How many payments one page may look through for criteria that no index serves: what keeps its time flat. */
export const LOOKED_THROUGH = 5_000

/** Search on the columns of payments, newest first; a page goes on exactly behind the last one's end. */
export const openSearch = (database: Database) => {
  const known = new Map<string, ReturnType<typeof database.prepare>>()
  const statement = (text: string) => {
    const prepared = known.get(text) ?? database.prepare(text)
    known.set(text, prepared)
    return prepared
  }

  return (organizationId: string, { limit, after, ...criteria }: PaymentQuery): PaymentsFound | undefined => {
    const plan = planOf(criteria)
    const start =
      after === undefined ? undefined : (statement(PLACE).get({ after, organizationId }) as Place | undefined)
    if (after !== undefined && !start) return undefined
    const bounds = { organizationId, limit: limit + 1, startAt: start?.created_at, startId: start?.payment_id }
    const horizon = plan.exact
      ? undefined
      : (statement(horizonText(plan, start !== undefined)).get({ ...criteria, ...bounds }) as Place | undefined)
    const rows = statement(pageText(plan, start !== undefined, horizon !== undefined)).all({
      ...criteria,
      ...bounds,
      endAt: horizon?.created_at,
      endId: horizon?.payment_id,
    }) as { record: string }[]
    const payments = rows.slice(0, limit).map(({ record }) => JSON.parse(record) as Payment)
    const next = rows.length > limit ? payments.at(-1)?.transactionId : horizon?.transaction_id
    return { payments, next }
  }
}

type Plan = { index: string; narrowed: string; wanted: string; exact: boolean }

/** One index, named so that no statistics can talk the database out of it, and what is left to look at row by row. */
const planOf = (criteria: Partial<Record<Criterion, unknown>>): Plan => {
  const given = (Object.keys(CONDITIONS) as Criterion[]).filter(name => criteria[name] !== undefined)
  const [sharpest, index] = INDEXES.find(([name]) => given.includes(name)) ?? [undefined, 'payments_by_time']
  const narrowing = given.filter(name => name === sharpest || TIMES.includes(name))
  return {
    index,
    narrowed: conditions(narrowing.map(name => CONDITIONS[name])),
    wanted: conditions(given.map(name => CONDITIONS[name])),
    exact: narrowing.length === given.length,
  }
}

const conditions = (list: readonly string[]): string => ['organization_id = @organizationId', ...list].join(' AND ')

const PLACE = `SELECT payment_id, transaction_id, created_at FROM payments
  WHERE transaction_id = @after AND organization_id = @organizationId`
const BEHIND_START = ' AND (created_at, payment_id) < (@startAt, @startId)'
const UP_TO_END = ' AND (created_at, payment_id) >= (@endAt, @endId)'

const horizonText = ({ index, narrowed }: Plan, started: boolean): string =>
  `SELECT payment_id, transaction_id, created_at FROM payments INDEXED BY ${index}
   WHERE ${narrowed}${started ? BEHIND_START : ''} ${NEWEST_FIRST} LIMIT 1 OFFSET ${LOOKED_THROUGH - 1}`

const pageText = ({ index, wanted }: Plan, started: boolean, ends: boolean): string =>
  `SELECT record FROM payments INDEXED BY ${index}
   WHERE ${wanted}${started ? BEHIND_START : ''}${ends ? UP_TO_END : ''} ${NEWEST_FIRST} LIMIT @limit`
