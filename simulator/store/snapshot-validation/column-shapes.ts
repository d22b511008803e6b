import { DEADLINES } from '../../payments/deadline-kinds.ts'
import { STATES } from '../../payments/lifecycle.ts'
import { BLIK_BANKS } from '../../providers/blik-banks.ts'
import type { Cell } from '../organization-state-store.ts'
import { count, type JsonSchema, jsonTextOf, oneOf } from './json-schema-builders.ts'
import {
  ACTIVITY,
  FAULT,
  instant,
  LATE_CALL,
  MOCK,
  PAYMENT,
  PAYMENT_EVENT,
  provider,
  providerCall,
  usedSteps,
} from './record-shapes.ts'
import { DELIVERY_ATTEMPT, DELIVERY_PLAN, ENDPOINT, VARIATION } from './webhook-record-shapes.ts'

const STATUSES = Object.values(STATES).map(({ status }) => status)
const JOB_NAMES = [...Object.keys(DEADLINES), 'late-answer']

// biome-ignore format: a table reads by its columns
/**
 * JSON schemas by which an imported snapshot's column values are validated, by table and column; NULL passes where the
 * table allows it.
 */
export const COLUMN_SHAPES: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  payments:             { record: jsonTextOf(PAYMENT), provider_id: provider, status: oneOf(STATUSES), amount: count, created_at: instant },
  payment_events:       { record: jsonTextOf(PAYMENT_EVENT) },
  ledger_entries:       { kind: oneOf(['capture', 'settlement', 'refund']), amount: count, booked_at: instant, provider_id: provider },
  jobs:                 { name: oneOf(JOB_NAMES), due_at: instant, late_call: jsonTextOf(LATE_CALL) },
  faults:               { record: jsonTextOf(FAULT), operation: providerCall, remaining_calls: count },
  fault_trigger_counts: { trigger_count: count, expires_at: instant },
  mocks:                { record: jsonTextOf(MOCK), expires_at: instant, used_steps: usedSteps },
  phones:               { bank_id: oneOf(BLIK_BANKS.map(({ id }) => id)) },
  blik_codes:           { expires_at: instant },
  mandates:             { provider_id: provider, created_at: instant, expires_at: instant, revoked_at: instant },
  idempotency_keys:     { response_status: { ...count, minimum: 200, maximum: 599 }, expires_at: instant },
  webhook_endpoints:    { record: jsonTextOf(ENDPOINT) },
  messages:             { body: jsonTextOf({}), variation: jsonTextOf(VARIATION), due_at: instant, is_from_plan: oneOf([0, 1]) },
  deliveries:           { state: oneOf(['waiting', 'delivered', 'dropped']), first_due_at: instant, due_at: instant, attempt_count: count, resent_at: instant },
  delivery_attempts:    { record: jsonTextOf(DELIVERY_ATTEMPT) },
  delivery_plans:       { record: jsonTextOf(DELIVERY_PLAN), remaining_uses: count },
  activities:           { record: jsonTextOf(ACTIVITY), ended_at: instant },
}

type ReadCell = (column: string) => Cell | undefined

const LATE_CALL_COLUMNS = ['late_call_key', 'late_call_fingerprint', 'late_call']
const parseObject = (cell: Cell | undefined): Record<string, unknown> => JSON.parse(String(cell))

/** Predicates on the rows of an imported snapshot, by table: whether the columns of one row agree with each other. */
export const ROW_CHECKS: Readonly<Record<string, (cell: ReadCell) => boolean>> = {
  payments: cell => {
    const { organizationId, transactionId } = parseObject(cell('record'))
    return organizationId === cell('organization_id') && transactionId === cell('transaction_id')
  },
  jobs: cell => {
    const isLate = cell('name') === 'late-answer'
    if (!LATE_CALL_COLUMNS.every(column => (typeof cell(column) === 'string') === isLate)) return false
    return !isLate || parseObject(cell('late_call')).organizationId === cell('organization_id')
  },
}
