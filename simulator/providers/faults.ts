import { PROVIDER_CODES, type ProviderCode, type ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'

/** The calls that reach a provider, so that something can go wrong there. */
export const PROVIDER_CALLS = ['initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund'] as const
export type ProviderCall = (typeof PROVIDER_CALLS)[number]

/**
 * Every way in which a provider goes wrong on request: what becomes of the action, and what the merchant is told where
 * it is not the action's own answer. Whatever is told here is never remembered under the key (7.4, D-22).
 */
// biome-ignore format: a table reads by its columns
export const FAULTS = [
  { kind: 'decline',  done: undefined, action: 'declined', told: undefined,          wants: 'code',    meaning: 'The provider says no, with one of its codes (7.5).' },
  { kind: 'error',    done: undefined, action: 'never',    told: 'PROVIDER_ERROR',   wants: undefined, meaning: 'The provider fails; nothing is done.' },
  { kind: 'timeout',  done: 'yes',     action: 'done',     told: 'PROVIDER_TIMEOUT', wants: undefined, meaning: 'The provider acts, and its answer is lost: the key has it.' },
  { kind: 'timeout',  done: 'no',      action: 'never',    told: 'PROVIDER_TIMEOUT', wants: undefined, meaning: 'The provider never hears of it.' },
  { kind: 'timeout',  done: 'late',    action: 'later',    told: 'PROVIDER_TIMEOUT', wants: 'after',   meaning: 'The provider acts when the time is up; until then the payment is locked.' },
  { kind: 'internal', done: undefined, action: 'never',    told: 'INTERNAL',         wants: undefined, meaning: 'The service itself fails; nothing is done.' },
  { kind: 'locked',   done: undefined, action: 'never',    told: 'PAYMENT_LOCKED',   wants: undefined, meaning: 'Another call is at work on the payment; nothing is done.' },
] as const satisfies readonly FaultRow[]

type FaultRow = {
  kind: string
  done: 'yes' | 'no' | 'late' | undefined
  action: 'declined' | 'never' | 'done' | 'later'
  told: RefusalName | undefined
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
  /** Milliseconds until a late action. */
  after?: number
  /** How many calls are still to meet it. */
  left: number
}

/** The row of a fault; undefined where kind and done make none. */
export const faultRow = (kind: string, done: string | undefined): FaultRow | undefined =>
  FAULTS.find(row => row.kind === kind && row.done === done)

/** A decline speaks the language of one provider, so it waits for a payment there; every other fault meets any. */
export const concerns = ({ code }: Fault, provider: ProviderId): boolean =>
  code === undefined || PROVIDER_CODES.some(row => row.code === code && row.provider === provider)
