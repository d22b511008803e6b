import type { ProviderOperation } from '../../contracts/operations.ts'
import { PROVIDER_CODES, type ProviderCode, type ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'

/** Kinds of faults in sending a response: the operation has taken effect; a replay of its key gets it intact. */
const RESPONSE_FAULT_KINDS = ['reset', 'slow', 'dribble', 'truncated', 'missigned', 'tampered'] as const
export type ResponseFaultKind = (typeof RESPONSE_FAULT_KINDS)[number]

/** A fault to inject while the API sends a response; `after` in milliseconds of real time. */
export type ResponseFault = { kind: ResponseFaultKind; after?: number }

/**
 * Table of injected failures: whether the action is carried out, the refusal that replaces its own response, and what
 * happens to the response in transmission. These refusals are never saved under the idempotency key (7.4, D-22).
 */
// biome-ignore format: a table reads by its columns
export const FAULTS = [
  { kind: 'decline',   done: undefined, action: 'declined', told: undefined,          wire: undefined,   wants: 'code',    meaning: 'The provider declines, with one of its codes (7.5).' },
  { kind: 'error',     done: undefined, action: 'never',    told: 'PROVIDER_ERROR',   wire: undefined,   wants: undefined, meaning: 'The provider fails; nothing is done.' },
  { kind: 'timeout',   done: 'yes',     action: 'done',     told: 'PROVIDER_TIMEOUT', wire: undefined,   wants: undefined, meaning: 'The provider acts, and its response is lost: it is stored under the key.' },
  { kind: 'timeout',   done: 'no',      action: 'never',    told: 'PROVIDER_TIMEOUT', wire: undefined,   wants: undefined, meaning: 'The call never reaches the provider.' },
  { kind: 'timeout',   done: 'late',    action: 'later',    told: 'PROVIDER_TIMEOUT', wire: undefined,   wants: 'after',   meaning: 'The provider acts after the delay; until then the payment is locked.' },
  { kind: 'internal',  done: undefined, action: 'never',    told: 'INTERNAL',         wire: undefined,   wants: undefined, meaning: 'The service itself fails; nothing is done.' },
  { kind: 'locked',    done: undefined, action: 'never',    told: 'PAYMENT_LOCKED',   wire: undefined,   wants: undefined, meaning: 'Another call is processing the payment; nothing is done.' },
  { kind: 'limited',   done: undefined, action: 'never',    told: 'RATE_LIMITED',     wire: undefined,   wants: 'after',   meaning: 'Too many calls: `Retry-After` says how long to wait; nothing is done.' },
  { kind: 'reset',     done: 'yes',     action: 'done',     told: undefined,          wire: 'reset',     wants: undefined, meaning: 'It is done, and the connection breaks before the response, which is stored under the key.' },
  { kind: 'reset',     done: 'no',      action: 'never',    told: 'INTERNAL',         wire: 'reset',     wants: undefined, meaning: 'Nothing is done, and the connection breaks.' },
  { kind: 'slow',      done: undefined, action: 'done',     told: undefined,          wire: 'slow',      wants: 'after',   meaning: 'It is done; the response begins after the delay.' },
  { kind: 'dribble',   done: undefined, action: 'done',     told: undefined,          wire: 'dribble',   wants: 'after',   meaning: 'It is done; the response arrives in small pieces during the delay.' },
  { kind: 'truncated', done: undefined, action: 'done',     told: undefined,          wire: 'truncated', wants: undefined, meaning: 'It is done; the connection closes after half of the response.' },
  { kind: 'missigned', done: undefined, action: 'done',     told: undefined,          wire: 'missigned', wants: undefined, meaning: 'It is done; the signature of the response does not verify (5.4).' },
  { kind: 'tampered',  done: undefined, action: 'done',     told: undefined,          wire: 'tampered',  wants: undefined, meaning: 'It is done; the transactionId in the response is replaced after signing (5.4).' },
] as const satisfies readonly FaultRow[]

export type FaultRow = {
  kind: string
  done: 'yes' | 'no' | 'late' | undefined
  action: 'declined' | 'never' | 'done' | 'later'
  told: RefusalName | undefined
  wire: ResponseFaultKind | undefined
  /** The member that a request for this fault needs beside `kind` and `done`. */
  wants: 'code' | 'after' | undefined
  meaning: string
}

export type FaultKind = (typeof FAULTS)[number]['kind']

/** A fault armed for the next provider calls of one operation. */
export type Fault = {
  faultId: number
  operation: ProviderOperation
  kind: FaultKind
  done?: NonNullable<FaultRow['done']>
  code?: ProviderCode
  /** Milliseconds until a late action, of Retry-After, or of real time in transmission. */
  after?: number
  /** Identifiers that a call must have to trigger it; absent matches every call. */
  match?: FaultMatch
  /** How many more calls it fails. */
  left: number
}

/** Names of the identifiers by which a fault selects calls; a call on a payment has those of the payment. */
export const FAULT_MATCH_MEMBERS = [
  'transactionId',
  'clientTransactionId',
  'payerId',
  'processingAccountId',
  'providerId',
] as const
export type FaultMatch = Partial<Record<(typeof FAULT_MATCH_MEMBERS)[number], string>>
export type CallIdentifiers = Record<(typeof FAULT_MATCH_MEMBERS)[number], string | undefined>

/** Finds the row of the fault table for a `kind` and a `done`; undefined if there is none. */
export const findFaultRow = (kind: string, done: string | undefined): FaultRow | undefined =>
  FAULTS.find(row => row.kind === kind && row.done === done)

/** Whether a fault applies to a provider: one with a provider code applies only to the provider of that code. */
export const appliesToProvider = (
  { code }: { code?: ProviderCode | undefined },
  provider: ProviderId | undefined,
): boolean => code === undefined || provider === providerOfCode(code)

/** Returns the provider that has a code (7.5). */
export const providerOfCode = (code: ProviderCode): ProviderId | undefined =>
  PROVIDER_CODES.find(row => row.code === code)?.provider

/** Whether a call has all identifiers that a fault requires. */
export const matchesCall = ({ match = {} }: Fault, names: CallIdentifiers): boolean =>
  FAULT_MATCH_MEMBERS.every(member => match[member] === undefined || match[member] === names[member])
