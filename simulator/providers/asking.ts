import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { SECOND } from '../duration.ts'
import { Refusal } from '../refusal.ts'
import { concerns, type Fault, faultRow, type WireFault } from './faults.ts'
import type { StepFault } from './mock.ts'
import type { ProviderAnswer } from './provider.ts'

/** Asks the provider, once every rule of the contract holds; a fault or a script changes what it answers. */
export type Ask = (providerId: ProviderId, healthy: ProviderAnswer) => ProviderAnswer

/** A fault that a call met: an armed one, or one of a step, which is counted under the call's key. */
export type Met = Pick<Fault, 'kind' | 'done' | 'code' | 'after'> & { faultId?: number }

/** What a script says to this call; nothing where the provider answers by itself. */
export type Scripted = {
  answer(providerId: ProviderId): ProviderAnswer | undefined
  /** Only while it is still to be met under the call's key. */
  fault: StepFault | undefined
}

/** What stands between an operation and its provider: one fault at most, an armed one before one of the script. */
export const askUnder = (faults: readonly Fault[], scripted: Scripted) => {
  let met: Met | undefined
  let asked = false
  const ask: Ask = (providerId, healthy) => {
    asked = true
    met ??= faults.find(fault => concerns(fault, providerId)) ?? scripted.fault
    const row = met && faultRow(met.kind, met.done)
    if (met?.code && row?.action === 'declined') return { outcome: 'declined', code: met.code }
    if (met && row && row.action !== 'done') throw toldBy(met)
    return scripted.answer(providerId) ?? healthy
  }
  return { ask, met: () => met, asked: () => asked }
}

/** What the merchant is told of a fault. */
export const toldBy = ({ kind, done, after }: Met): Refusal => {
  const { told = 'INTERNAL', meaning = '' } = faultRow(kind, done) ?? {}
  const fault = done === undefined ? kind : `${kind}, done: ${done}`
  return new Refusal(told, 'operation', MESSAGES[told] ?? 'The service failed unexpectedly.', {
    diagnosis: { fault, meaning },
    ...(told === 'RATE_LIMITED' ? { retryAfter: Math.ceil((after ?? SECOND) / SECOND) } : {}),
  })
}

/** What becomes of the answer on its way, where the fault is one of the wire. */
export const wireOf = ({ kind, done, after }: Met): WireFault | undefined => {
  const { wire } = faultRow(kind, done) ?? {}
  return wire && { kind: wire, ...(after === undefined ? {} : { after }) }
}

const MESSAGES: Readonly<Record<string, string>> = {
  PROVIDER_ERROR: 'The provider failed: try again with the same key.',
  PROVIDER_TIMEOUT: 'The provider did not answer in time: send the same key again, then read the status (7.4).',
  RATE_LIMITED: 'Too many calls: wait as long as Retry-After says, then send the same key again.',
  PAYMENT_LOCKED: 'Another call is at work on this payment: try again shortly.',
}
