import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Payment } from '../../payments/payment.ts'
import { LOOKED_THROUGH, type PaymentQuery, type PaymentsFound } from '../port.ts'
import type { Db } from './open.ts'

/** Where a payment stands in the order of all. */
type Place = { payment_id: number; transaction_id: string; created_at: number }
type Bounds = { start?: Place | undefined; end?: Place | undefined }
type Criteria = Omit<PaymentQuery, 'limit' | 'after'> & Bounds
type Criterion = keyof Criteria

/** The criteria for which an index goes on by time, the sharpest first: a search walks along one of them. */
const SHARPEST: readonly Criterion[] = ['clientTransactionId', 'payerId', 'status']
const BY_TIME: readonly Criterion[] = ['createdFrom', 'createdTo', 'start', 'end']

/** Search on the columns of payments, newest first; a page goes on exactly behind the last one's end. */
export const searchPayments = async (
  db: Db,
  organizationId: string,
  { limit, after, ...asked }: PaymentQuery,
): Promise<PaymentsFound | undefined> => {
  const start = after === undefined ? undefined : await placeOf(db, organizationId, after)
  if (after !== undefined && !start) return undefined
  const criteria: Criteria = { ...asked, start }
  const names = given(criteria)
  const sharpest = SHARPEST.find(name => names.includes(name))
  const narrowing = names.filter(name => name === sharpest || BY_TIME.includes(name))
  const isExact = narrowing.length === names.length
  const end = isExact ? undefined : await horizonOf(db, organizationId, criteria, narrowing)
  const bounded: Criteria = { ...criteria, end }
  const rows = await db.rows<{ record: string }>(sql`
    SELECT record FROM payments WHERE ${where(organizationId, bounded, given(bounded))}
    ORDER BY created_at DESC, payment_id DESC LIMIT ${limit + 1}`)
  const payments = rows.slice(0, limit).map(({ record }) => JSON.parse(record) as Payment)
  return { payments, next: rows.length > limit ? payments.at(-1)?.transactionId : end?.transaction_id }
}

const placeOf = async (db: Db, organizationId: string, transactionId: string): Promise<Place | undefined> =>
  (
    await db.rows<Place>(sql`
      SELECT payment_id, transaction_id, created_at FROM payments
      WHERE transaction_id = ${transactionId} AND organization_id = ${organizationId}`)
  )[0]

/** How far one page may look through payments for criteria that no index serves: what keeps its time flat. */
const horizonOf = async (
  db: Db,
  organizationId: string,
  criteria: Criteria,
  narrowing: readonly Criterion[],
): Promise<Place | undefined> =>
  (
    await db.rows<Place>(sql`
      SELECT payment_id, transaction_id, created_at FROM payments WHERE ${where(organizationId, criteria, narrowing)}
      ORDER BY created_at DESC, payment_id DESC LIMIT 1 OFFSET ${LOOKED_THROUGH - 1}`)
  )[0]

const given = (criteria: Criteria): Criterion[] =>
  (Object.keys(criteria) as Criterion[]).filter(name => criteria[name] !== undefined)

const where = (organizationId: string, criteria: Criteria, names: readonly Criterion[]): Sql =>
  join([sql`organization_id = ${organizationId}`, ...names.map(name => conditionOf(criteria, name))], ' AND ')

const conditionOf = ({ start, end, ...asked }: Criteria, name: Criterion): Sql => {
  if (name === 'start') return sql`(created_at, payment_id) < (${start?.created_at}, ${start?.payment_id})`
  if (name === 'end') return sql`(created_at, payment_id) >= (${end?.created_at}, ${end?.payment_id})`
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
  amountFrom:          'amount >=',
  amountTo:            'amount <=',
} as const satisfies Record<Exclude<Criterion, keyof Bounds>, string>
