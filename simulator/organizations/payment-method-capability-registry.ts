import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { CAPABILITIES, CAPABILITY_NAMES, PROVIDER_IDS } from '../../contracts/protocol/providers-and-capabilities.ts'
import {
  type AccountOverrides,
  type CapabilityOverrides,
  createCapabilityCheck,
  type MethodOverrides,
} from '../payments/capability-check.ts'
import type { Store } from '../store/store.ts'
import { ControlError } from '../support/control-error.ts'

type Wanted = Partial<Record<ProviderId, unknown>>

/** Creates the registry of payment methods' capabilities on accounts: reads them, overrides the defaults (D-77). */
export const createCapabilityRegistry = ({
  store,
  onChange,
}: {
  store: Store
  onChange: (organizationId: string) => void
}) => {
  const organizationWith = async (organizationId: string, accountId: string) => {
    const organization = await store.organization(organizationId)
    if (organization?.accountIds.includes(accountId)) return organization
    throw new ControlError('unknown', `There is no account ${accountId} in organization ${organizationId}.`)
  }
  return {
    /** Capabilities of each method by the contract. */
    usual: CAPABILITIES,

    /** Capabilities of each method on the account as they stand. */
    find: async (organizationId: string, accountId: string) =>
      viewOf(accountId, (await organizationWith(organizationId, accountId)).capabilities),

    /** Replaces the overrides of the account and returns what then holds; an empty object restores the defaults. */
    override: async (organizationId: string, accountId: string, wanted: Wanted) => {
      await organizationWith(organizationId, accountId)
      const overrides = overridesOf(wanted)
      await store.setCapabilities(organizationId, accountId, overrides)
      onChange(organizationId)
      return viewOf(accountId, { [accountId]: overrides })
    },
  }
}

const viewOf = (processingAccountId: string, overrides: CapabilityOverrides) => {
  const supports = createCapabilityCheck(overrides)
  const able = (providerId: ProviderId) =>
    Object.fromEntries(CAPABILITY_NAMES.map(name => [name, supports({ processingAccountId, providerId }, name)]))
  return {
    processingAccountId,
    capabilities: Object.fromEntries(PROVIDER_IDS.map(method => [method, able(method)])),
  }
}

const overridesOf = (wanted: Wanted): AccountOverrides =>
  Object.fromEntries(Object.entries(wanted).map(([providerId, method]) => [providerId, methodOf(providerId, method)]))

const methodOf = (providerId: string, method: unknown): MethodOverrides => {
  if (method === null || typeof method !== 'object' || Array.isArray(method))
    throw new ControlError('invalid', `${providerId} must be an object such as {"partialCapture":false}.`)
  for (const [name, able] of Object.entries(method)) {
    if (!CAPABILITY_NAMES.some(known => known === name))
      throw new ControlError(
        'invalid',
        `${providerId} has no capability ${name.slice(0, 40)}: give ${CAPABILITY_NAMES.join(', ')}.`,
      )
    if (typeof able !== 'boolean') throw new ControlError('invalid', `${providerId}.${name} must be true or false.`)
  }
  return method
}
