import type { ProviderFault } from '../model/model-call-and-judged-response.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'

/** Faults of a provider call that a sandbox with a control address can inject, each with what the model knows of it (7.1, 7.4). */
// biome-ignore format: a table reads by its columns
export const FAULT_KINDS = {
  decline:  { model: 'decline', inject: { kind: 'decline' } },
  passing:  { model: 'passing', inject: { kind: 'decline' } },
  internal: { model: 'undone',  inject: { kind: 'internal' } },
  error:    { model: 'undone',  inject: { kind: 'error' } },
  locked:   { model: 'locked',  inject: { kind: 'locked' } },
  done:     { model: 'done',    inject: { kind: 'timeout', done: 'yes' } },
  undone:   { model: 'undone',  inject: { kind: 'timeout', done: 'no' } },
  late:     { model: 'unclear', inject: { kind: 'timeout', done: 'late', after: 'PT20S' } },
} as const satisfies Readonly<Record<string, { model: ProviderFault; inject: Readonly<Record<string, string>> }>>

export type FaultKind = keyof typeof FAULT_KINDS

/** Codes by which the providers decline for want of the shopper (7.5). */
const DECLINE_CODES: Readonly<Record<ProviderId, string>> = { BLIK: '3003', IRIS: 'TIMEOUT' }
/** The code of a temporary decline (7.4.2); BLIK has none. */
const PASSING_CODE = 'DMSP1010'

/** Returns the fault to inject through control into an explored call of a payment method. */
export const faultToInject = (kind: FaultKind, method: ProviderId): Readonly<Record<string, string>> =>
  FAULT_KINDS[kind].inject.kind === 'decline'
    ? { kind: 'decline', code: isPassing(kind, method) ? PASSING_CODE : DECLINE_CODES[method] }
    : FAULT_KINDS[kind].inject

const isPassing = (kind: FaultKind, method: ProviderId): boolean => kind === 'passing' && method === 'IRIS'

/** Returns what the model knows of a fault injected into an explored call. */
export const faultInModel = (kind: FaultKind, method: ProviderId): ProviderFault =>
  kind === 'passing' && !isPassing(kind, method) ? 'decline' : FAULT_KINDS[kind].model
