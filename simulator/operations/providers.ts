import type { components } from '../../contracts/openapi.gen.ts'
import { CAPABILITIES, type Capability } from '../payments/capabilities.ts'
import type { Provider } from '../providers/provider.ts'
import { PROVIDERS } from '../providers/providers.ts'
import { ensure } from '../refusal.ts'
import { type TransactionType, TYPE_NEEDS } from './carried.ts'
import type { Context, Operation } from './operation.ts'

type ProvidersRequest = components['schemas']['ProvidersRequest']

/** The methods that fit a country and a currency, with what each can do: on the account named, else by default (1, 4). */
export const providers: Operation<ProvidersRequest> = (request, context) => {
  const { processingAccountId, country, currency } = request
  ensure(
    processingAccountId === undefined || context.accountIds.includes(processingAccountId),
    'FORBIDDEN',
    'The processing account is not one of this organization.',
  )
  const fitting = Object.values(PROVIDERS).filter(
    provider =>
      (country ?? provider.country) === provider.country && (currency ?? provider.currency) === provider.currency,
  )
  return { answer: { providers: fitting.map(provider => offerOf(provider, processingAccountId ?? '', context)) } }
}

const offerOf = ({ id, country, currency }: Provider, processingAccountId: string, { supports }: Context) => {
  const able = (capability: Capability) => supports({ processingAccountId, providerId: id }, capability)
  const types = Object.entries(TYPE_NEEDS) as [TransactionType, Capability | undefined][]
  return {
    providerId: id,
    country,
    currency,
    transactionTypes: types.filter(([, needed]) => needed === undefined || able(needed)).map(([type]) => type),
    capabilities: Object.fromEntries((Object.keys(CAPABILITIES) as Capability[]).map(name => [name, able(name)])),
  }
}
