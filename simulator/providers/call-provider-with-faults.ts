import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { SECOND } from '../support/duration.ts'
import { Refusal } from '../support/refusal.ts'
import { appliesToProvider, type Fault, findFaultRow, type ResponseFault } from './fault-kinds.ts'
import type { ProviderResponse } from './provider.ts'
import type { StepFault } from './provider-mock.ts'

/**
 * A function that calls the provider, once every rule of the contract holds; a fault or a script may change its
 * `healthy` response.
 */
export type ProviderCall = (providerId: ProviderId, healthy: ProviderResponse) => ProviderResponse

/** A fault that a call triggered: an armed one, or one of a mock's step, which is counted under the call's key. */
export type TriggeredFault = Pick<Fault, 'kind' | 'done' | 'code' | 'after'> & { faultId?: number }

/** Scripted response and fault of one call; the response is undefined if the provider responds by itself. */
export type CallScript = {
  answer(providerId: ProviderId): ProviderResponse | undefined
  /** Absent once it has been triggered `times` times under the call's key. */
  fault: StepFault | undefined
}

/** Creates the function by which an operation calls its provider: triggers at most one fault, an armed one first. */
export const createProviderCall = (faults: readonly Fault[], scripted: CallScript) => {
  let met: TriggeredFault | undefined
  let answered = false
  const ask: ProviderCall = (providerId, healthy) => {
    met ??= faults.find(fault => appliesToProvider(fault, providerId)) ?? scripted.fault
    const row = met && findFaultRow(met.kind, met.done)
    if (met && (row?.action === 'never' || row?.action === 'later')) throw toFaultRefusal(met)
    answered = true
    if (met?.code && row?.action === 'declined') return { outcome: 'declined', code: met.code }
    return scripted.answer(providerId) ?? healthy
  }
  return { ask, met: () => met, answered: () => answered }
}

/** Creates the refusal with which the API reports a triggered fault. */
export const toFaultRefusal = ({ kind, done, after }: TriggeredFault): Refusal => {
  const { told = 'INTERNAL', meaning = '' } = findFaultRow(kind, done) ?? {}
  const fault = done === undefined ? kind : `${kind}, done: ${done}`
  return new Refusal(told, 'operation', MESSAGES[told] ?? 'The service failed unexpectedly.', {
    diagnosis: { fault, meaning },
    ...(told === 'RATE_LIMITED' ? { retryAfter: Math.ceil((after ?? SECOND) / SECOND) } : {}),
  })
}

/** Returns the fault to inject while the response is sent, if the triggered fault is one of transmission. */
export const toResponseFault = ({ kind, done, after }: TriggeredFault): ResponseFault | undefined => {
  const { wire } = findFaultRow(kind, done) ?? {}
  return wire && { kind: wire, ...(after === undefined ? {} : { after }) }
}

const MESSAGES: Readonly<Record<string, string>> = {
  PROVIDER_ERROR: 'The provider failed: try again with the same key.',
  PROVIDER_TIMEOUT: 'The provider did not answer in time: send the same key again, then read the status (7.4).',
  RATE_LIMITED: 'Too many calls: wait as long as Retry-After says, then send the same key again.',
  PAYMENT_LOCKED: 'Another call is at work on this payment: try again shortly.',
}
