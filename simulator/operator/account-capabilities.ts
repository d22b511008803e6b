import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import {
  type AccountOverrides,
  CAPABILITIES,
  type Capability,
  type CapabilityOverrides,
  type MethodOverrides,
  supportsOn,
} from '../payments/capabilities.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

const NAMES = Object.keys(CAPABILITIES) as Capability[]
export const METHODS = Object.keys(CAPABILITIES.refund) as ProviderId[]

type Wanted = Partial<Record<ProviderId, unknown>>

/** What methods can do on one account otherwise than by default (D-77). */
export const createAccountCapabilities = ({
  store,
  onChange,
}: {
  store: Store
  onChange: (organizationId: string) => void
}) => {
  const known = async (organizationId: string, accountId: string) => {
    const organization = await store.organization(organizationId)
    if (organization?.accountIds.includes(accountId)) return organization
    throw new OperatorError('unknown', `There is no account ${accountId} in organization ${organizationId}.`)
  }
  return {
    /** What each method can do on the account now. */
    of: async (organizationId: string, accountId: string) =>
      viewOf(accountId, (await known(organizationId, accountId)).capabilities),

    /** Replaces what stood for the account and tells what each method can do there now; nothing wanted means the default. */
    set: async (organizationId: string, accountId: string, wanted: Wanted) => {
      await known(organizationId, accountId)
      const overrides = overridesOf(wanted)
      await store.setCapabilities(organizationId, accountId, overrides)
      onChange(organizationId)
      return viewOf(accountId, { [accountId]: overrides })
    },
  }
}

const viewOf = (processingAccountId: string, overrides: CapabilityOverrides) => {
  const supports = supportsOn(overrides)
  const able = (providerId: ProviderId) =>
    Object.fromEntries(NAMES.map(name => [name, supports({ processingAccountId, providerId }, name)]))
  return { processingAccountId, capabilities: Object.fromEntries(METHODS.map(method => [method, able(method)])) }
}

const overridesOf = (wanted: Wanted): AccountOverrides =>
  Object.fromEntries(Object.entries(wanted).map(([providerId, method]) => [providerId, methodOf(providerId, method)]))

const methodOf = (providerId: string, method: unknown): MethodOverrides => {
  if (method === null || typeof method !== 'object' || Array.isArray(method))
    throw new OperatorError('invalid', `${providerId} must be an object such as {"partialCapture":false}.`)
  for (const [name, able] of Object.entries(method)) {
    if (!NAMES.some(known => known === name))
      throw new OperatorError(
        'invalid',
        `${providerId} has no capability ${name.slice(0, 40)}: give ${NAMES.join(', ')}.`,
      )
    if (typeof able !== 'boolean') throw new OperatorError('invalid', `${providerId}.${name} must be true or false.`)
  }
  return method
}
