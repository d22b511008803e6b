import { DEADLINES } from '../payments/deadlines.ts'
import { STATES } from '../payments/lifecycle.ts'
import { BLIK_BANKS } from '../providers/blik-banks.ts'
import type { Cell } from './port.ts'
import {
  ATTEMPT,
  DEED,
  ENDPOINT,
  EVENT,
  FAULT,
  instant,
  LATE_CALL,
  MOCK,
  PAYMENT,
  PLAN,
  provider,
  providerCall,
  VARIANT,
} from './record-shapes.ts'
import { count, jsonOf, oneOf, type Shape } from './shape.ts'

const STATUSES = Object.values(STATES).map(({ status }) => status)
const JOBS = [...Object.keys(DEADLINES), 'late-answer']

// biome-ignore format: a table reads by its columns
/** What columns hold beside what their type says; where a column may be empty, that is fine too. */
export const CONTENTS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  payments:       { record: jsonOf(PAYMENT), provider_id: provider, status: oneOf(STATUSES), amount: count, created_at: instant },
  events:         { record: jsonOf(EVENT) },
  postings:       { kind: oneOf(['capture', 'settlement', 'refund']), amount: count, at: instant },
  jobs:           { name: oneOf(JOBS), due_at: instant, call: jsonOf(LATE_CALL) },
  faults:         { record: jsonOf(FAULT), operation: providerCall, remaining: count },
  faults_met:     { met: count, expires_at: instant },
  mocks:          { record: jsonOf(MOCK), expires_at: instant },
  phones:         { bank: oneOf(BLIK_BANKS.map(({ id }) => id)) },
  blik_codes:     { expires_at: instant },
  mandates:       { provider_id: provider, created_at: instant, expires_at: instant, revoked_at: instant },
  remembered:     { http: { ...count, minimum: 200, maximum: 599 }, expires_at: instant },
  endpoints:      { record: jsonOf(ENDPOINT) },
  notifications:  { body: jsonOf({}), variant: jsonOf(VARIANT), due_at: instant },
  deliveries:     { state: oneOf(['waiting', 'delivered', 'dropped']), first_due_at: instant, due_at: instant, tries: count },
  attempts:       { record: jsonOf(ATTEMPT) },
  delivery_plans: { record: jsonOf(PLAN), remaining: count },
  deeds:          { record: jsonOf(DEED), until: instant },
}

type Cells = (column: string) => Cell | undefined

const LATE = ['call_key', 'fingerprint', 'call']
const members = (cell: Cell | undefined): Record<string, unknown> => JSON.parse(String(cell))

/** Rows whose columns say one thing together. */
export const AGREEING: Readonly<Record<string, (cell: Cells) => boolean>> = {
  payments: cell => {
    const { organizationId, transactionId } = members(cell('record'))
    return organizationId === cell('organization_id') && transactionId === cell('transaction_id')
  },
  jobs: cell => {
    const isLate = cell('name') === 'late-answer'
    if (!LATE.every(column => (typeof cell(column) === 'string') === isLate)) return false
    return !isLate || members(cell('call')).organizationId === cell('organization_id')
  },
}
