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
  answer.statusInfo ?? (answer.code ? declinedInfo(providerId, answer.code) : noProblem(otherwise))

/** statusInfo that a provider's code becomes (7.5). */
export const declinedInfo = (providerId: ProviderId, code: ProviderCode): StatusInfo => {
  const { reasonCode, meaning } = providerCode(providerId, code)
  return { reasonCode, message: meaning }
}

/** What a payment keeps of a provider's answer: its code, and the details that a mock gave (2.7). */
export const withTold = (payment: Payment, { code, details }: ProviderAnswer): { update?: Partial<Payment> } =>
  code || details ? { update: { provider: { ...payment.provider, ...details, ...(code ? { code } : {}) } } } : {}
