import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import {
  type AccountOverrides,
  CAPABILITIES,
  type Capability,
  type MethodOverrides,
  supportsOn,
} from '../payments/capabilities.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

const NAMES = Object.keys(CAPABILITIES) as Capability[]
export const METHODS = Object.keys(CAPABILITIES.refund) as ProviderId[]

type Wanted = Partial<Record<ProviderId, unknown>>

/** What methods can do on one account otherwise than by default (D-77). */
export const createAccountCapabilities = ({ store, onChange }: { store: Store; onChange: () => void }) => ({
  /** Replaces what stood for the account and tells what each method can do there now; nothing wanted means the default. */
  set: async (organizationId: string, accountId: string, wanted: Wanted) => {
    const organization = await store.organization(organizationId)
    if (!organization?.accountIds.includes(accountId))
      throw new OperatorError('unknown', `There is no account ${accountId} in organization ${organizationId}.`)
    const overrides = overridesOf(wanted)
    await store.setCapabilities(organizationId, accountId, overrides)
    onChange()
    const supports = supportsOn({ [accountId]: overrides })
    const able = (providerId: ProviderId) =>
      Object.fromEntries(NAMES.map(name => [name, supports({ processingAccountId: accountId, providerId }, name)]))
    return {
      processingAccountId: accountId,
      capabilities: Object.fromEntries(METHODS.map(providerId => [providerId, able(providerId)])),
    }
  },
})

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
