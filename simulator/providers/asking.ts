import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { Refusal } from '../refusal.ts'
import { concerns, type Fault, faultRow } from './faults.ts'
import type { ProviderAnswer } from './provider.ts'

/** Asks the provider, once every rule of the contract holds; a fault that waits for the call changes what it answers. */
export type Ask = (providerId: ProviderId, healthy: ProviderAnswer) => ProviderAnswer

/** What stands between an operation and its provider: the first fault that concerns the call, met at most once. */
export const askUnder = (faults: readonly Fault[]) => {
  let met: Fault | undefined
  const ask: Ask = (providerId, healthy) => {
    met ??= faults.find(fault => concerns(fault, providerId))
    const row = met && faultRow(met.kind, met.done)
    if (!met || !row) return healthy
    if (row.action === 'declined' && met.code) return { outcome: 'declined', code: met.code }
    if (row.action === 'done') return healthy
    throw toldBy(met)
  }
  return { ask, met: () => met }
}

/** What the merchant is told of a fault. */
export const toldBy = ({ kind, done }: Fault): Refusal => {
  const { told = 'INTERNAL', meaning = '' } = faultRow(kind, done) ?? {}
  const fault = done === undefined ? kind : `${kind}, done: ${done}`
  return new Refusal(told, 'operation', MESSAGES[told] ?? 'The service failed unexpectedly.', {
    diagnosis: { fault, meaning },
  })
}

const MESSAGES: Readonly<Record<string, string>> = {
  PROVIDER_ERROR: 'The provider failed: try again with the same key.',
  PROVIDER_TIMEOUT: 'The provider did not answer in time: send the same key again, then read the status (7.4).',
  PAYMENT_LOCKED: 'Another call is at work on this payment: try again shortly.',
}
