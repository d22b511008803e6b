import type { components } from '../../contracts/openapi.gen.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import {
  CAPABILITY_NAMES,
  CAPABILITY_OF_TRANSACTION_TYPE,
  type Capability,
  PROVIDER_IDS,
  PROVIDERS,
  TRANSACTION_TYPES,
  type TransactionType,
} from '../../contracts/protocol/providers-and-capabilities.ts'
import { ensureOwnAccount } from '../payments/account-ownership.ts'
import type { Operation, OperationContext } from './operation-types.ts'

type ProvidersRequest = components['schemas']['ProvidersRequest']

/**
 * Decides operation `providers`: lists payment methods for a country and currency, with their capabilities (1, 4).
 */
export const listProviders: Operation<ProvidersRequest> = (request, context) => {
  const { processingAccountId, country, currency } = request
  const { accountIds, rules } = context
  if (processingAccountId !== undefined) ensureOwnAccount(processingAccountId, { accountIds, ...rules })
  const fitting = PROVIDER_IDS.filter(id => {
    const market = PROVIDERS[id]
    return (country ?? market.country) === market.country && (currency ?? market.currency) === market.currency
  })
  return { answer: { providers: fitting.map(id => offerOf(id, processingAccountId, context)) } }
}

const offerOf = (providerId: ProviderId, processingAccountId: string | undefined, { supports }: OperationContext) => {
  const { country, currency } = PROVIDERS[providerId]
  const able = (capability: Capability) => supports({ processingAccountId, providerId }, capability)
  const offered = (type: TransactionType): boolean => {
    const needed = CAPABILITY_OF_TRANSACTION_TYPE[type]
    return needed === undefined || able(needed)
  }
  return {
    providerId,
    country,
    currency,
    transactionTypes: TRANSACTION_TYPES.filter(offered),
    capabilities: Object.fromEntries(CAPABILITY_NAMES.map(name => [name, able(name)])),
  }
}
