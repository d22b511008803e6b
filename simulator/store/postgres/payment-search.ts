import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Payment } from '../../payments/payment.ts'
import type { Db } from '../sql-statements.ts'
import { type PaymentPage, type PaymentQuery, SEARCH_SCAN_LIMIT } from '../unit-of-work.ts'

/** Position of a payment in the order of search results. */
type Place = { payment_id: number; transaction_id: string; created_at: number }
type Bounds = { start?: Place | undefined; end?: Place | undefined }
type Criteria = Omit<PaymentQuery, 'limit' | 'after' | 'oldestFirst'> & Bounds
type Criterion = keyof Criteria

/** Criteria that have an index, the most selective first; each index continues by time, and a search walks one. */
const INDEXED_CRITERIA: readonly Criterion[] = ['clientTransactionId', 'payerId', 'status']
const BY_TIME: readonly Criterion[] = ['createdFrom', 'createdTo', 'start', 'end']

/** Searches payments in PostgreSQL, newest first unless the query says otherwise; a page starts right after the end of the previous page. */
export const searchPayments = async (
  db: Db,
  organizationId: string,
  { limit, after, oldestFirst = false, ...asked }: PaymentQuery,
): Promise<PaymentPage | undefined> => {
  const start = after === undefined ? undefined : await placeOf(db, organizationId, after)
  if (after !== undefined && !start) return undefined
  const criteria: Criteria = { ...asked, start }
  const walk = oldestFirst ? OLDEST_FIRST : NEWEST_FIRST
  const names = given(criteria)
  const selective = INDEXED_CRITERIA.find(name => names.includes(name))
  const narrowing = names.filter(name => name === selective || BY_TIME.includes(name))
  const isExact = narrowing.length === names.length
  const end = isExact ? undefined : await scanEndOf(db, organizationId, criteria, narrowing, walk)
  const bounded: Criteria = { ...criteria, end }
  const rows = await db.rows<{ record: string }>(sql`
    SELECT record FROM payments WHERE ${where(organizationId, bounded, given(bounded), walk)}
    ORDER BY ${walk.order} LIMIT ${limit + 1}`)
  const payments = rows.slice(0, limit).map(({ record }) => JSON.parse(record) as Payment)
  return { payments, next: rows.length > limit ? payments.at(-1)?.transactionId : end?.transaction_id }
}

const placeOf = async (db: Db, organizationId: string, transactionId: string): Promise<Place | undefined> =>
  (
    await db.rows<Place>(sql`
      SELECT payment_id, transaction_id, created_at FROM payments
      WHERE transaction_id = ${transactionId} AND organization_id = ${organizationId}`)
  )[0]

/** Finds the last payment that a page may scan for criteria that no index serves, which bounds the search time. */
const scanEndOf = async (
  db: Db,
  organizationId: string,
  criteria: Criteria,
  narrowing: readonly Criterion[],
  walk: Walk,
): Promise<Place | undefined> =>
  (
    await db.rows<Place>(sql`
      SELECT payment_id, transaction_id, created_at FROM payments WHERE ${where(organizationId, criteria, narrowing, walk)}
      ORDER BY ${walk.order} LIMIT 1 OFFSET ${SEARCH_SCAN_LIMIT - 1}`)
  )[0]

const given = (criteria: Criteria): Criterion[] =>
  (Object.keys(criteria) as Criterion[]).filter(name => criteria[name] !== undefined)

/** Order in which a search walks the payments, and what lies behind the start of a page and before its end. */
type Walk = { order: Sql; behind: Sql; upTo: Sql }
const NEWEST_FIRST: Walk = { order: raw('created_at DESC, payment_id DESC'), behind: raw('<'), upTo: raw('>=') }
const OLDEST_FIRST: Walk = { order: raw('created_at, payment_id'), behind: raw('>'), upTo: raw('<=') }

const where = (organizationId: string, criteria: Criteria, names: readonly Criterion[], walk: Walk): Sql =>
  join([sql`organization_id = ${organizationId}`, ...names.map(name => conditionOf(criteria, name, walk))], ' AND ')

const conditionOf = ({ start, end, ...asked }: Criteria, name: Criterion, { behind, upTo }: Walk): Sql => {
  if (name === 'start') return sql`(created_at, payment_id) ${behind} (${start?.created_at}, ${start?.payment_id})`
  if (name === 'end') return sql`(created_at, payment_id) ${upTo} (${end?.created_at}, ${end?.payment_id})`
  return sql`${raw(CONDITIONS[name])} ${asked[name]}`
}

// biome-ignore format: a table reads by its columns
const CONDITIONS = {
  createdFrom:         'created_at >=',
  createdTo:           'created_at <=',
  clientTransactionId: 'client_transaction_id =',
  payerId:             'payer_id =',
  status:              'status =',
  accountId:           'account_id =',
  providerId:          'provider_id =',
  // To PostgreSQL, JSON with NUL or half of a surrogate pair is none: escapes are cut down to plain text first.
  state:               "replace(replace(record, '\\\\', ''), '\\u', '')::json ->> 'state' =",
  amountFrom:          'amount >=',
  amountTo:            'amount <=',
} as const satisfies Record<Exclude<Criterion, keyof Bounds>, string>
