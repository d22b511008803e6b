import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { CAPABILITIES, type Capability } from '../../contracts/protocol/providers-and-capabilities.ts'

/** Capabilities of one payment method on an account that override the table of the contract. */
export type MethodOverrides = Partial<Record<Capability, boolean>>
export type AccountOverrides = Partial<Record<ProviderId, MethodOverrides>>
/** Capability overrides by processing account. */
export type CapabilityOverrides = Readonly<Record<string, AccountOverrides>>

/**
 * A function that returns whether a payment method has a capability on an account, or on any account if `where` names
 * none.
 */
export type CapabilityCheck = (
  where: { processingAccountId: string | undefined; providerId: ProviderId },
  capability: Capability,
) => boolean

/**
 * Creates the function that tells whether a payment method has a capability on an account: by the account's override,
 * else by the contract's table.
 */
export const createCapabilityCheck =
  (overrides: CapabilityOverrides): CapabilityCheck =>
  ({ processingAccountId, providerId }, capability) =>
    (processingAccountId === undefined ? undefined : overrides[processingAccountId]?.[providerId]?.[capability]) ??
    CAPABILITIES[capability][providerId]
