import type { Database } from 'better-sqlite3'
import type { Payment } from '../../payments/payment.ts'
import { type PaymentPage, type PaymentQuery, SEARCH_SCAN_LIMIT } from '../unit-of-work.ts'
import { createStatementCache } from './statement-cache.ts'

/** Position of a payment in the order of search results. */
type Place = { payment_id: number; transaction_id: string; created_at: number }
type Bounds = {
  startAt?: number
  startAfter?: number
  startId?: number
  endAt?: number
  endBy?: number
  endId?: number
}
type Criteria = Omit<PaymentQuery, 'limit' | 'after' | 'oldestFirst'> & Bounds
type Criterion = keyof typeof CONDITIONS

// biome-ignore format: a table reads by its columns
const CONDITIONS = {
  createdFrom:         'created_at >= @createdFrom',
  createdTo:           'created_at <= @createdTo',
  startAt:             '(created_at, payment_id) < (@startAt, @startId)',
  startAfter:          '(created_at, payment_id) > (@startAfter, @startId)',
  endAt:               '(created_at, payment_id) >= (@endAt, @endId)',
  endBy:               '(created_at, payment_id) <= (@endBy, @endId)',
  clientTransactionId: 'hash = hash_of(@organizationId, @clientTransactionId) AND client_transaction_id = @clientTransactionId',
  payerId:             'payer_id = @payerId',
  status:              'status = @status',
  accountId:           'account_id = @accountId',
  providerId:          'provider_id = @providerId',
  state:               "record ->> '$.state' = @state",
  amountFrom:          'amount >= @amountFrom',
  amountTo:            'amount <= @amountTo',
} as const satisfies Partial<Record<keyof Criteria, string>>

/** Criteria that have an index, the most selective first; each index continues by time. */
const INDEXES = [
  ['clientTransactionId', 'payments_by_client_transaction_id'],
  ['payerId', 'payments_by_payer'],
  ['status', 'payments_by_status'],
] as const
const BY_TIME: readonly Criterion[] = ['createdFrom', 'createdTo', 'startAt', 'startAfter', 'endAt', 'endBy']

const PLACE = 'SELECT payment_id, transaction_id, created_at FROM payments'
const NEWEST_FIRST = 'ORDER BY created_at DESC, payment_id DESC'
const OLDEST_FIRST = 'ORDER BY created_at, payment_id'

/** Opens the payment search in SQLite, newest first unless the query says otherwise; a page starts right after the end of the previous page. */
export const openPaymentSearch = (database: Database) => {
  const statement = createStatementCache<[object], Place & { record: string }>(database)
  const placeOf = database.prepare<[string, string], Place>(`${PLACE} WHERE transaction_id = ? AND organization_id = ?`)

  return (
    organizationId: string,
    { limit, after, oldestFirst = false, ...asked }: PaymentQuery,
  ): PaymentPage | undefined => {
    const start = after === undefined ? undefined : placeOf.get(after, organizationId)
    if (after !== undefined && !start) return undefined
    const order = oldestFirst ? OLDEST_FIRST : NEWEST_FIRST
    const criteria = startingBehind(start, asked, oldestFirst)
    const { index, narrowing, exact } = planOf(criteria)
    const horizon = exact
      ? undefined
      : statement(`${PLACE} ${where(index, narrowing)} ${order} LIMIT 1 OFFSET ${SEARCH_SCAN_LIMIT - 1}`).get({
          ...criteria,
          organizationId,
        })
    const bounded = endingAt(horizon, criteria, oldestFirst)
    const rows = statement(`SELECT record FROM payments ${where(index, given(bounded))} ${order} LIMIT @limit`).all({
      ...bounded,
      organizationId,
      limit: limit + 1,
    })
    const payments = rows.slice(0, limit).map(({ record }) => JSON.parse(record) as Payment)
    return { payments, next: rows.length > limit ? payments.at(-1)?.transactionId : horizon?.transaction_id }
  }
}

/** Keeps only the tighter bound of time: given two, SQLite might use the wrong one to walk the index. */
const startingBehind = (start: Place | undefined, asked: Criteria, oldestFirst: boolean): Criteria => {
  if (!start) return asked
  const { created_at: at, payment_id: startId } = start
  if (oldestFirst)
    return at >= (asked.createdFrom ?? at) ? { ...asked, createdFrom: undefined, startAfter: at, startId } : asked
  return at <= (asked.createdTo ?? at) ? { ...asked, createdTo: undefined, startAt: at, startId } : asked
}

const endingAt = (end: Place | undefined, criteria: Criteria, oldestFirst: boolean): Criteria => {
  if (!end) return criteria
  const { created_at: at, payment_id: endId } = end
  return oldestFirst
    ? { ...criteria, createdTo: undefined, endBy: at, endId }
    : { ...criteria, createdFrom: undefined, endAt: at, endId }
}

const given = (criteria: Criteria): Criterion[] =>
  (Object.keys(CONDITIONS) as Criterion[]).filter(name => criteria[name] !== undefined)

/** Chooses the index of a search, forced by INDEXED BY whatever the statistics say, and the criteria it serves. */
const planOf = (criteria: Criteria) => {
  const all = given(criteria)
  const [sharpest, index] = INDEXES.find(([name]) => all.includes(name)) ?? [undefined, 'payments_by_time']
  const narrowing = all.filter(name => name === sharpest || BY_TIME.includes(name))
  return { index, narrowing, exact: narrowing.length === all.length }
}

const where = (index: string, names: readonly Criterion[]): string =>
  `INDEXED BY ${index} WHERE ${['organization_id = @organizationId', ...names.map(name => CONDITIONS[name])].join(' AND ')}`
