import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { CAPABILITIES, type Capability } from '../../contracts/protocol/providers.ts'
import { ensure } from '../support/refusal.ts'

/** Capabilities of one payment method on an account that override the table of the contract. */
export type MethodOverrides = Partial<Record<Capability, boolean>>
export type AccountOverrides = Partial<Record<ProviderId, MethodOverrides>>
/** Capability overrides by processing account. */
export type CapabilityOverrides = Readonly<Record<string, AccountOverrides>>

/** Returns whether a payment method has a capability on an account, or on any account if `where` names none. */
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

/** Refuses a processing account of another organization (D-54). */
export const ensureOwnAccount = (
  processingAccountId: string,
  { accountIds, choices }: { accountIds: readonly string[]; choices: DecisionChoices },
): void =>
  ensure(
    accountIds.includes(processingAccountId),
    refusalsOfAccount(choices).foreign,
    'The processing account is not one of this organization.',
  )

/** Returns the refusals of an account of another organization, and of another than the payment's (D-54). */
export const refusalsOfAccount = (choices: DecisionChoices) => REFUSALS_OF_ACCOUNT[choices['D-54']]

const REFUSALS_OF_ACCOUNT = {
  'by-call': { foreign: 'FORBIDDEN', other: 'PAYMENT_NOT_FOUND' },
  '403': { foreign: 'FORBIDDEN', other: 'FORBIDDEN' },
  '404': { foreign: 'PAYMENT_NOT_FOUND', other: 'PAYMENT_NOT_FOUND' },
} as const
