import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'

/** What each method supports (clause 1; D-37 for what it does not say item by item). */
// biome-ignore format: a table reads by its columns
export const CAPABILITIES = {
  //                            BLIK         IRIS
  refund:                   { BLIK: true,  IRIS: true  },
  partialRefund:            { BLIK: true,  IRIS: true  },
  multiplePartialRefunds:   { BLIK: true,  IRIS: false },
  laterCapture:             { BLIK: true,  IRIS: false },
  partialCapture:           { BLIK: true,  IRIS: false },
  multiplePartialCaptures:  { BLIK: true,  IRIS: false },
} as const satisfies Record<string, Record<ProviderId, boolean>>

export type Capability = keyof typeof CAPABILITIES

export const supports = (providerId: ProviderId, capability: Capability): boolean =>
  CAPABILITIES[capability][providerId]
