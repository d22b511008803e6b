import { PROVIDER_CODES, type ProviderCode, type ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'

/** The calls that reach a provider, so that something can go wrong there. */
export const PROVIDER_CALLS = ['initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund'] as const
export type ProviderCall = (typeof PROVIDER_CALLS)[number]

/** What can happen to an answer on its way: whatever was done is done, and the key has the answer. */
export const WIRE_KINDS = ['reset', 'slow', 'dribble', 'truncated', 'missigned', 'tampered'] as const
export type WireKind = (typeof WIRE_KINDS)[number]

/** How an answer is spoilt; `after` in milliseconds of real time. */
export type WireFault = { kind: WireKind; after?: number }

/**
 * Every way in which a call goes wrong on request: what becomes of the action, what the merchant is told where it is
 * not the action's own answer, and what happens to the answer on the wire. Whatever is told here is never remembered
 * under the key (7.4, D-22).
 */
// biome-ignore format: a table reads by its columns
export const FAULTS = [
  { kind: 'decline',   done: undefined, action: 'declined', told: undefined,          wire: undefined,   wants: 'code',    meaning: 'The provider says no, with one of its codes (7.5).' },
  { kind: 'error',     done: undefined, action: 'never',    told: 'PROVIDER_ERROR',   wire: undefined,   wants: undefined, meaning: 'The provider fails; nothing is done.' },
  { kind: 'timeout',   done: 'yes',     action: 'done',     told: 'PROVIDER_TIMEOUT', wire: undefined,   wants: undefined, meaning: 'The provider acts, and its answer is lost: the key has it.' },
  { kind: 'timeout',   done: 'no',      action: 'never',    told: 'PROVIDER_TIMEOUT', wire: undefined,   wants: undefined, meaning: 'The provider never hears of it.' },
  { kind: 'timeout',   done: 'late',    action: 'later',    told: 'PROVIDER_TIMEOUT', wire: undefined,   wants: 'after',   meaning: 'The provider acts when the time is up; until then the payment is locked.' },
  { kind: 'internal',  done: undefined, action: 'never',    told: 'INTERNAL',         wire: undefined,   wants: undefined, meaning: 'The service itself fails; nothing is done.' },
  { kind: 'locked',    done: undefined, action: 'never',    told: 'PAYMENT_LOCKED',   wire: undefined,   wants: undefined, meaning: 'Another call is at work on the payment; nothing is done.' },
  { kind: 'limited',   done: undefined, action: 'never',    told: 'RATE_LIMITED',     wire: undefined,   wants: 'after',   meaning: 'Too many calls: `Retry-After` says how long to wait; nothing is done.' },
  { kind: 'reset',     done: 'yes',     action: 'done',     told: undefined,          wire: 'reset',     wants: undefined, meaning: 'It is done, and the connection breaks before the answer: the key has it.' },
  { kind: 'reset',     done: 'no',      action: 'never',    told: 'INTERNAL',         wire: 'reset',     wants: undefined, meaning: 'Nothing is done, and the connection breaks.' },
  { kind: 'slow',      done: undefined, action: 'done',     told: undefined,          wire: 'slow',      wants: 'after',   meaning: 'It is done; the answer begins when the time is up.' },
  { kind: 'dribble',   done: undefined, action: 'done',     told: undefined,          wire: 'dribble',   wants: 'after',   meaning: 'It is done; the answer comes in small pieces over the time.' },
  { kind: 'truncated', done: undefined, action: 'done',     told: undefined,          wire: 'truncated', wants: undefined, meaning: 'It is done; the connection closes after half of the answer.' },
  { kind: 'missigned', done: undefined, action: 'done',     told: undefined,          wire: 'missigned', wants: undefined, meaning: 'It is done; the signature of the answer does not verify (5.4).' },
  { kind: 'tampered',  done: undefined, action: 'done',     told: undefined,          wire: 'tampered',  wants: undefined, meaning: 'It is done; somebody on the way put another transactionId into the answer, after it was signed (5.4).' },
] as const satisfies readonly FaultRow[]

export type FaultRow = {
  kind: string
  done: 'yes' | 'no' | 'late' | undefined
  action: 'declined' | 'never' | 'done' | 'later'
  told: RefusalName | undefined
  wire: WireKind | undefined
  /** The member that arming it needs beside kind and done. */
  wants: 'code' | 'after' | undefined
  meaning: string
}

export type FaultKind = (typeof FAULTS)[number]['kind']

/** What a provider will do on the next calls of one operation. */
export type Fault = {
  faultId: number
  operation: ProviderCall
  kind: FaultKind
  done?: NonNullable<FaultRow['done']>
  code?: ProviderCode
  /** Milliseconds: until a late action, until it may be tried again, or of real time on the wire. */
  after?: number
  /** The calls that meet it; others pass by. */
  match?: CallMatch
  /** How many calls are still to meet it. */
  left: number
}

/** By what calls are told apart; a call on a payment has the payment's own. */
export const CALL_MEMBERS = [
  'transactionId',
  'clientTransactionId',
  'payerId',
  'processingAccountId',
  'providerId',
] as const
export type CallMatch = Partial<Record<(typeof CALL_MEMBERS)[number], string>>
export type CallNames = Record<(typeof CALL_MEMBERS)[number], string | undefined>

/** The row of a fault; undefined where kind and done make none. */
export const faultRow = (kind: string, done: string | undefined): FaultRow | undefined =>
  FAULTS.find(row => row.kind === kind && row.done === done)

/** A decline speaks the language of one provider, so it waits for a payment there; every other fault meets any. */
export const concerns = ({ code }: Fault, provider: ProviderId): boolean =>
  code === undefined || PROVIDER_CODES.some(row => row.code === code && row.provider === provider)

/** Whether a call has all that a fault waits for. */
export const fits = ({ match = {} }: Fault, names: CallNames): boolean =>
  CALL_MEMBERS.every(member => match[member] === undefined || match[member] === names[member])
