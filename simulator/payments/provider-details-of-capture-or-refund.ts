import { type ProviderCode, type ProviderId, providerCode } from '../../contracts/protocol/provider-codes.ts'
import { isoTime } from '../support/clock.ts'
import type { CaptureOrRefund, Payment, PaymentEvent } from './payment.ts'

/** Creates the `providerDetails` of a capture or refund in responses and webhooks (7.5, D-50, D-52). */
export const providerDetailsOfCaptureOrRefund = (payment: Payment, { provider, declined, at }: CaptureOrRefund) => ({
  providerId: payment.providerId,
  providerTransactionId: provider?.providerTransactionId ?? payment.provider.providerTransactionId,
  registeredAt: isoTime(provider?.registeredAt ?? at),
  ...providerStatusField(payment.providerId, declined === true ? undefined : declined),
})

/** Creates the field `providerDetails` of an event: that of the capture or refund that it is about, none for others. */
export const providerDetailsOfEvent = (payment: Payment, { captureOrRefund }: PaymentEvent) => {
  const about = [...payment.captures, ...payment.refunds].find(
    ({ transactionId }) => transactionId === captureOrRefund?.transactionId,
  )
  return about ? { providerDetails: providerDetailsOfCaptureOrRefund(payment, about) } : {}
}

/** Returns the response field `providerStatusInfo`: the provider's code and its meaning, if it gave one (7.5). */
export const providerStatusField = (providerId: ProviderId, code: ProviderCode | undefined) =>
  code ? { providerStatusInfo: { reasonCode: code, message: providerCode(providerId, code).meaning } } : {}
