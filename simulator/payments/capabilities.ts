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
  recurring:                { BLIK: true,  IRIS: false },
  tokenOnly:                { BLIK: true,  IRIS: false },
  incrementalAuthorization: { BLIK: false, IRIS: false },
  disputes:                 { BLIK: true,  IRIS: false },
  splitPayments:            { BLIK: true,  IRIS: false },
} as const satisfies Record<string, Record<ProviderId, boolean>>

export type Capability = keyof typeof CAPABILITIES

/** What one method can do otherwise than the table says. */
export type MethodOverrides = Partial<Record<Capability, boolean>>
export type AccountOverrides = Partial<Record<ProviderId, MethodOverrides>>
/** By processing account. */
export type CapabilityOverrides = Readonly<Record<string, AccountOverrides>>

/** Whether a method can do something on an account; a payment says both. */
export type Supports = (
  where: { processingAccountId: string; providerId: ProviderId },
  capability: Capability,
) => boolean

/** The table, unless the account says otherwise. */
export const supportsOn =
  (overrides: CapabilityOverrides): Supports =>
  ({ processingAccountId, providerId }, capability) =>
    overrides[processingAccountId]?.[providerId]?.[capability] ?? CAPABILITIES[capability][providerId]
