import type { ProviderOperation } from '../../contracts/operations.ts'
import { cancel } from './cancel.ts'
import { capture } from './capture.ts'
import { charge } from './charge.ts'
import { finalize } from './finalize.ts'
import { initiate } from './initiate.ts'
import type { OperationDefinition } from './operation-types.ts'
import { refund } from './refund.ts'

/** Definitions of the operations that call a provider; run by API calls and, for late provider calls, by jobs. */
// biome-ignore format: a table reads by its columns
export const PROVIDER_OPERATION_DEFINITIONS: Readonly<Record<ProviderOperation, OperationDefinition>> = {
  initiate: { on: 'nothing', decide: initiate },
  finalize: { on: 'payment', decide: finalize },
  charge:   { on: 'nothing', decide: charge, mandate: true },
  capture:  { on: 'payment', decide: capture },
  cancel:   { on: 'payment', decide: cancel },
  refund:   { on: 'payment', decide: refund },
}
