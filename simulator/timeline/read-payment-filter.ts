import { PROVIDERS } from '../../contracts/protocol/providers-and-capabilities.ts'
import { STATES, type State } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import type { PaymentQuery } from '../store/unit-of-work.ts'
import { parseExactInstant } from '../support/clock.ts'
import { ControlError, requireOneOf } from '../support/control-error.ts'
import { DAY } from '../support/duration.ts'

/** Names of the criteria of a list of payments, which are also those of its query parameters. */
export const PAYMENT_FILTER_MEMBERS = [
  'transactionId',
  'clientTransactionId',
  'status',
  'state',
  'providerId',
  'accountId',
  'createdFrom',
  'createdTo',
  'amountFrom',
  'amountTo',
] as const

/**
 * Filter of a list of payments, as texts; every given member must match. Amounts are in minor units; a date is a day in
 * UTC or an instant, on the organization's clock.
 */
export type PaymentFilter = Partial<Record<(typeof PAYMENT_FILTER_MEMBERS)[number], string | undefined>>

/** Criteria that take some words only. */
const WORDS = {
  status: [...new Set(Object.values(STATES).map(({ status }) => status))],
  state: Object.keys(STATES),
  providerId: Object.keys(PROVIDERS),
}

type Criteria = Omit<PaymentQuery, 'limit' | 'after' | 'oldestFirst'>

/**
 * Reads the filter of a list of payments: the id that it names, criteria of a search, and whether one payment fits.
 * Throws ControlError.
 */
export const readPaymentFilter = (filter: PaymentFilter) => {
  const { transactionId, clientTransactionId, status, state, providerId, accountId } = filter
  for (const name of ['status', 'state', 'providerId'] as const)
    if (filter[name] !== undefined) requireOneOf(name, filter[name], WORDS[name])
  const criteria: Criteria = {
    clientTransactionId,
    status: status ?? (state && STATES[state as State].status),
    state,
    providerId,
    accountId,
    createdFrom: instantOf('createdFrom', filter.createdFrom, 0),
    createdTo: instantOf('createdTo', filter.createdTo, DAY - 1),
    amountFrom: amountOf('amountFrom', filter.amountFrom),
    amountTo: amountOf('amountTo', filter.amountTo),
  }
  return { transactionId, criteria, fits: (payment: Payment) => fits(payment, criteria) }
}

const fits = (payment: Payment, criteria: Criteria): boolean => {
  const { createdFrom = 0, createdTo = Infinity, amountFrom = 0, amountTo = Infinity } = criteria
  const is = (wanted: string | undefined, value: string) => wanted === undefined || wanted === value
  return (
    is(criteria.clientTransactionId, payment.clientTransactionId) &&
    is(criteria.status, STATES[payment.state].status) &&
    is(criteria.state, payment.state) &&
    is(criteria.providerId, payment.providerId) &&
    is(criteria.accountId, payment.processingAccountId) &&
    payment.createdAt >= createdFrom &&
    payment.createdAt <= createdTo &&
    payment.amount >= amountFrom &&
    payment.amount <= amountTo
  )
}

const DATE = /^\d{4}-\d\d-\d\d$/

/** Epoch milliseconds of a text; of a day its beginning and so many milliseconds more. */
const instantOf = (name: string, text: string | undefined, ofDay: number): number | undefined => {
  if (text === undefined) return undefined
  const at = DATE.test(text) ? parseExactInstant(`${text}T00:00Z`) + ofDay : parseExactInstant(text)
  if (!Number.isNaN(at)) return at
  throw invalid(name, text, 'give a day such as 2026-01-05, or an instant such as 2026-01-05T12:00:00Z')
}

const amountOf = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalid(name, text, 'give an amount in minor units, such as 1999')
}

const invalid = (name: string, text: string, cure: string) =>
  new ControlError('invalid', `${name} is ${JSON.stringify(text.slice(0, 40))}: ${cure}.`)
