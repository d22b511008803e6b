import { type ProviderCode, type ProviderId, providerCode } from '../../contracts/protocol/provider-codes.ts'
import { noProblem } from '../payments/apply-transition.ts'
import type { Payment, StatusInfo } from '../payments/payment.ts'
import type { ProviderResponse } from './provider.ts'

/** Converts a provider response to the payment's statusInfo (7.5); `otherwise` is the message of a success. */
export const toStatusInfo = (providerId: ProviderId, answer: ProviderResponse, otherwise: string): StatusInfo =>
  answer.statusInfo ?? (answer.code ? toDeclinedStatusInfo(providerId, answer.code) : noProblem(otherwise))

/** Converts a provider's decline code to statusInfo (7.5). */
export const toDeclinedStatusInfo = (providerId: ProviderId, code: ProviderCode): StatusInfo => {
  const { reasonCode, meaning } = providerCode(providerId, code)
  return { reasonCode, message: meaning }
}

/** Creates the payment update from a provider response: its code, and the details that a mock set (2.7). */
export const toProviderUpdate = (
  payment: Pick<Payment, 'provider'>,
  { code, details }: ProviderResponse,
): { update?: Partial<Payment> } =>
  code || details ? { update: { provider: { ...payment.provider, ...details, ...(code ? { code } : {}) } } } : {}
