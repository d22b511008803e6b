import type { ProviderCall } from '../providers/faults.ts'
import { cancel } from './cancel.ts'
import { capture } from './capture.ts'
import { charge } from './charge.ts'
import { finalize } from './finalize.ts'
import { initiate } from './initiate.ts'
import type { Registered } from './operation.ts'
import { refund } from './refund.ts'

/** The operations that ask a provider, each carried out by call or, when its answer is late, by the clock. */
// biome-ignore format: a table reads by its columns
export const OPERATIONS: Readonly<Record<ProviderCall, Registered>> = {
  initiate: { on: 'nothing', decide: initiate },
  finalize: { on: 'payment', decide: finalize },
  charge:   { on: 'nothing', decide: charge, mandate: true },
  capture:  { on: 'payment', decide: capture },
  cancel:   { on: 'payment', decide: cancel },
  refund:   { on: 'payment', decide: refund },
}
