import { type ProviderCode, type ProviderId, providerCode } from '../../contracts/protocol/provider-codes.ts'
import type { Payment, StatusInfo } from '../payments/payment.ts'
import { noProblem } from '../payments/record.ts'
import { blik } from './blik.ts'
import { iris } from './iris.ts'
import type { Provider, ProviderAnswer } from './provider.ts'

export const PROVIDERS: Readonly<Record<ProviderId, Provider>> = { BLIK: blik, IRIS: iris }

export const providerOf = (providerId: ProviderId): Provider => PROVIDERS[providerId]

/** statusInfo that a provider's answer becomes (7.5). */
export const statusInfoOf = (providerId: ProviderId, answer: ProviderAnswer, otherwise: string): StatusInfo =>
  answer.code ? declinedInfo(providerId, answer.code) : noProblem(otherwise)

/** statusInfo that a provider's code becomes (7.5). */
export const declinedInfo = (providerId: ProviderId, code: ProviderCode): StatusInfo => {
  const { reasonCode, meaning } = providerCode(providerId, code)
  return { reasonCode, message: meaning }
}

/** What a payment keeps of a provider's answer: its code, where it has one. */
export const withCode = (payment: Payment, { code }: ProviderAnswer): { update?: Partial<Payment> } =>
  code ? { update: { provider: { ...payment.provider, code } } } : {}
