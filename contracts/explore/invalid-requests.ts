import type { CallOverrides } from '../client/send-signed-call.ts'
import type { BrokenRule } from '../model/model-call-and-judged-response.ts'
import { ACTS, type OperationName } from '../operations.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import { withHeader, withOneCharacterChanged } from '../suites/request-mutations/tamper-with-requests.ts'

type Row = {
  on: readonly OperationName[]
  method?: ProviderId
  /** Dotted paths of the body with their wrong values, or what makes one of the right value; undefined removes the member. */
  members?: Readonly<Record<string, unknown>>
  alter?: CallOverrides
  scope?: string
  broken: BrokenRule
}

const INVALID = [400, 422]
const BEGIN = ['initiate', 'charge'] as const
const ALL = [...BEGIN, ...ACTS] as const

/** Requests that break one rule each, and how the contract says that they are refused (2, 5, 7.1). */
// biome-ignore format: a table reads by its columns
export const INVALID_REQUESTS = {
  'amount 0':              { on: BEGIN, members: { 'paymentDetails.amount': 0 },     broken: { clause: '2.2', status: INVALID, orDeclined: true } },
  'amount below 0':        { on: BEGIN, members: { 'paymentDetails.amount': -1000 }, broken: { clause: '2.2', status: INVALID, orDeclined: true } },
  'part of 0':             { on: ['capture', 'refund'], members: { 'paymentDetails.amount': 0 },     broken: { clause: '2.2', status: INVALID } },
  'part below 0':          { on: ['capture', 'refund'], members: { 'paymentDetails.amount': -1000 }, broken: { clause: '2.2', status: INVALID } },
  'currency of another':   { on: BEGIN, method: 'BLIK', members: { 'paymentDetails.currency': 'EUR' }, broken: { clause: '1, 2.2', status: [...INVALID, 501], orDeclined: true } },
  'country of another':    { on: BEGIN, method: 'BLIK', members: { 'paymentDetails.country': 'GR' },   broken: { clause: '1, 2.2', status: [...INVALID, 501], orDeclined: true } },
  'code of seven digits':  { on: ['initiate'], method: 'BLIK', members: { 'payerDetails.oneTimeCode': (code: unknown) => `${code}7` }, broken: { clause: '2.3', status: INVALID, orDeclined: true } },
  'no code':               { on: ['initiate'], method: 'BLIK', members: { 'payerDetails.oneTimeCode': undefined }, broken: { clause: '2.3', status: INVALID } },
  'no returnUrl':          { on: ['initiate'], method: 'IRIS', members: { returnUrl: undefined },              broken: { clause: 'E4', status: INVALID } },
  'no payerId':            { on: ['initiate'], method: 'IRIS', members: { 'payerDetails.payerId': undefined }, broken: { clause: 'E4', status: INVALID } },
  'nobody to charge':      { on: ['charge'], members: { payerDetails: {} },                broken: { clause: '2.5', status: INVALID } },
  'one-time charge':       { on: ['charge'], members: { transactionType: 'ONE_TIME' },     broken: { clause: '2.5', status: [...INVALID, 501], openBy: 'D-64' } },
  'charge of IRIS':        { on: ['charge'], members: { 'providerDetails.providerId': 'IRIS', 'paymentDetails.currency': 'EUR', 'paymentDetails.country': 'GR' }, broken: { clause: '1', status: [...INVALID, 501] } },
  'no token':              { on: ALL, alter: { token: null }, broken: { clause: '5.3, 7.3', status: [401], family: '4' } },
  'scope to read':         { on: ['initiate', 'capture', 'cancel', 'refund'], scope: 'payments:read', broken: { clause: '5.3, 7.3', status: [403], family: '4' } },
  'scope to read, open':   { on: ['charge', 'finalize'], scope: 'payments:read', broken: { clause: '5.3, 7.3', status: [403], family: '4', openBy: 'D-56' } },
  'wrong signature':       { on: ALL, alter: { afterSigning: withHeader('signature', withOneCharacterChanged) }, broken: { clause: '5.2, 7.1', status: [401], family: '4' } },
} as const satisfies Readonly<Record<string, Row>>

export type InvalidRequest = keyof typeof INVALID_REQUESTS
export const invalidRequest = (name: InvalidRequest): Row => INVALID_REQUESTS[name]

/** Returns the names of the invalid requests that exploration can make of an operation, by its wrong argument. */
export const invalidRequestsOf = (operation: string, method: ProviderId): InvalidRequest[] =>
  (Object.entries(INVALID_REQUESTS) as [InvalidRequest, Row][]).flatMap(([name, row]) =>
    row.on.some(one => one === operation) && (row.method ?? method) === method ? [name] : [],
  )
