import { type Exchange, isServed } from '../../client/http-exchange.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import { takesMember } from '../../dialect/request-lens.ts'
import type { Check } from '../../harness/judge/check.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import { untakenReason } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { isDecline } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { ProviderOperation } from '../../operations.ts'
import { PROVIDER_OPERATIONS, startsPayment } from '../../operations.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import { unknownId } from '../given/create-payments.ts'
import { uniqueReference, withMember } from '../given/request-bodies.ts'
import { GRID_CONTROL, lackedOperation, NO_KEY } from './cell-judgments.ts'

/** Row with another payer, who needs a mandate too: else the charge may be refused for that. */
export const ANOTHER_PAYER = 'GRD-60'

type MemberRow = {
  id: string
  title: string
  member: string
  /** Operations whose bodies hold the member. */
  in: readonly ProviderOperation[]
  /** Operation without which no other value makes sense. */
  needs?: ProviderOperation
  /** Check that shows that the member is read at all, where its place is not shown. */
  control?: string
  /** Whether the other value may be refused before the key is looked at. */
  orRefused?: true
  /** Operations of which another check judges the cell. */
  spots?: Readonly<Partial<Record<ProviderOperation, string>>>
}

// biome-ignore format: a table reads by its columns
const MEMBERS: readonly MemberRow[] = [
  { id: 'GRD-26', title: 'another amount under a used key: 409',              member: 'paymentDetails.amount',      in: ['initiate', 'charge', 'capture', 'refund'], spots: { initiate: 'IDM-15', capture: 'IDM-18', refund: 'IDM-17' } },
  { id: 'GRD-27', title: 'another description under a used key: 409',         member: 'paymentDetails.description', in: ['initiate', 'charge', 'refund'] },
  { id: 'GRD-28', title: 'another clientTransactionId under a used key: 409', member: 'clientTransactionId',        in: ['initiate', 'charge', 'capture', 'cancel', 'refund'] },
  { id: 'GRD-56', title: 'other metadata under a used key: 409',              member: 'metadata',                   in: ['initiate'] },
  { id: 'GRD-57', title: 'another autoCapture under a used key: 409',         member: 'paymentDetails.autoCapture', in: ['initiate', 'charge'], needs: 'capture', control: 'LIF-04' },
  { id: ANOTHER_PAYER, title: 'another payer under a used key: 409',          member: 'payerDetails.payerId',      in: ['initiate', 'charge'], spots: { initiate: 'IDM-45' } },
  { id: 'GRD-81', title: 'another requestContext under a used key: 409',      member: 'requestContext',             in: ['initiate'] },
  { id: 'GRD-82', title: 'another type under a used key is refused',          member: 'transactionType',            in: ['initiate', 'charge'], orRefused: true },
  { id: 'GRD-83', title: 'another account under a used key is refused',       member: 'processingAccountId',        in: PROVIDER_OPERATIONS, orRefused: true },
  { id: 'GRD-84', title: 'another method under a used key is refused',        member: 'providerDetails.providerId', in: ['initiate', 'charge'], orRefused: true },
  { id: 'GRD-85', title: 'another one-time code under a used key is refused', member: 'payerDetails.oneTimeCode',   in: ['initiate'], orRefused: true },
  { id: 'GRD-86', title: 'a payment token more under a used key is refused',  member: 'payerDetails.paymentToken',  in: ['charge'], orRefused: true },
  { id: 'GRD-29', title: 'another payment under a used key: 409',             member: 'transactionId',              in: ['finalize', 'capture', 'cancel', 'refund'] },
]

const isTried = (
  { member, in: operations, needs, spots }: MemberRow,
  profile: Profile,
  operation: ProviderOperation,
): boolean =>
  operations.includes(operation) &&
  spots?.[operation] === undefined &&
  takesMember(profile, operation, member) &&
  (needs === undefined || lackedOperation(profile, needs) === undefined)

const conflictCell = (row: MemberRow, column: ProviderOperation): Cell => {
  if (!row.in.includes(column)) return { column, empty: `its body has no ${row.member}` }
  const spot = row.spots?.[column]
  if (spot !== undefined) return { column, empty: `${spot} judges this cell` }
  return {
    column,
    clause: 'I4',
    judge: (evidence, expect) => {
      ensureServed(evidence.of(column))
      const conflict = evidence.of(`${row.id} ${column}`)
      if (row.orRefused) return isDecline(expect.profile, conflict) ? undefined : expect.refused(conflict)
      // The other payment is not there, and may be looked for first (7.1).
      const or = row.member === 'transactionId' ? { or: 404 } : {}
      expect.refused(conflict, { status: 409, ...or })
    },
  }
}

/** Throws Blocked where the first call under an idempotency key was refused. */
export const ensureServed = (exchange: Exchange): void => {
  if (exchange.response && !isServed(exchange)) throw new Blocked('the first call under the key was refused', exchange)
}

/**
 * Returns the conflicting bodies to send under the key of a first one, each with one member changed and the step it is
 * for; another payer only where one is named.
 */
export const conflictsOf = (
  profile: Profile,
  operation: ProviderOperation,
  json: object,
  chosen: ReadonlySet<string>,
  anotherPayer?: string,
): { step: string; body: object }[] => {
  const holds = (text: string) => JSON.stringify(json).includes(text)
  const others: Readonly<Record<string, unknown>> = {
    'paymentDetails.amount': 500,
    'paymentDetails.autoCapture': true, // the first calls say false where there is a capture by hand
    metadata: { purpose: 'another' },
    transactionId: unknownId(profile),
    'payerDetails.payerId': anotherPayer,
    requestContext: { channel: 'WEB', locale: 'el-GR' },
    transactionType: holds('"ONE_TIME"') ? 'TOKEN_ONLY' : 'ONE_TIME',
    'providerDetails.providerId': holds('"BLIK"') ? 'IRIS' : 'BLIK',
    'payerDetails.oneTimeCode': '000000',
  }
  const isReady = ({ id }: MemberRow) => id !== ANOTHER_PAYER || anotherPayer !== undefined
  return MEMBERS.filter(row => chosen.has(row.id) && isTried(row, profile, operation) && isReady(row)).map(
    ({ id, member }) => ({
      step: `${id} ${operation}`,
      body: withMember(json, member, others[member] ?? uniqueReference()),
    }),
  )
}

/** Why an operation has no other reference to send: the profile says that it repeats that of its payment (D-48). */
const boundReason = (profile: Profile, column: string, { member }: MemberRow): string | undefined =>
  member === 'clientTransactionId' && !startsPayment(column) && choiceOf(profile, 'D-48') === 'of-payment'
    ? `${profile.file} says D-48: it is that of the payment`
    : undefined

/** Grid rows of operation × key: another payload under a used key (I4). */
export const CONFLICT_ROWS: readonly Check[] = MEMBERS.map(row =>
  gridRowCheck({
    ...GRID_CONTROL,
    ...(row.control && { control: row.control }),
    id: row.id,
    clause: 'I4',
    title: row.title,
    otherColumns: NO_KEY,
    exemptCell: (profile, column) =>
      lackedOperation(profile, column) ??
      (row.needs && lackedOperation(profile, row.needs)) ??
      untakenReason(profile, column as ProviderOperation, row.member) ??
      boundReason(profile, column, row),
    cells: PROVIDER_OPERATIONS.map(column => conflictCell(row, column)),
  }),
)
