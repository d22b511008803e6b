import { randomUUID } from 'node:crypto'
import type { Shapes } from '../client/merchant.ts'

/** A valid one-time BLIK payment (2.1, E4); with `autoCapture` left out the service decides. */
export const blikPayment = (
  account: string,
  oneTimeCode: string,
  autoCapture?: boolean,
): Shapes['InitiateRequest'] => ({
  processingAccountId: account,
  clientTransactionId: `check-${randomUUID()}`,
  transactionType: 'ONE_TIME',
  paymentDetails: {
    amount: 1000,
    currency: 'PLN',
    country: 'PL',
    description: 'Contract check',
    ...(autoCapture === undefined ? {} : { autoCapture }),
  },
  providerDetails: { providerId: 'BLIK' },
  payerDetails: { oneTimeCode },
  requestContext: { ipAddress: '192.0.2.1', userAgent: 'assay', channel: 'WEB', locale: 'pl-PL' },
  metadata: { purpose: 'contract check' },
})

/** A valid BLIK payment whose payer consents to be kept for later ones (1, 2.3). */
export const keptPayment = (
  account: string,
  oneTimeCode: string,
  payerId: string,
  transactionType: 'RECURRING' | 'TOKEN_ONLY',
): Shapes['InitiateRequest'] => ({
  ...blikPayment(account, oneTimeCode),
  transactionType,
  payerDetails: { payerId, oneTimeCode },
})

/** A valid charge of a mandate (2.5); with `autoCapture` left out the service decides. */
export const chargeOf = (
  account: string,
  payerDetails: Shapes['ChargeRequest']['payerDetails'],
  autoCapture?: boolean,
): Shapes['ChargeRequest'] => {
  const { paymentDetails, providerDetails } = blikPayment(account, '', autoCapture)
  return {
    processingAccountId: account,
    clientTransactionId: `charge-${randomUUID()}`,
    transactionType: 'RECURRING',
    paymentDetails: { ...paymentDetails, amount: 1000 },
    providerDetails,
    payerDetails,
  }
}

/** A valid IRIS payment (2.1, E4). */
export const irisPayment = (account: string): Shapes['InitiateRequest'] => ({
  processingAccountId: account,
  clientTransactionId: `check-${randomUUID()}`,
  returnUrl: 'https://shop.example/return',
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: 1000, currency: 'EUR', country: 'GR', description: 'Contract check' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'payer-1' },
})

/** What finalize, capture, cancel and refund say of the payment they mean (4). */
export const finalizeOf = (account: string, transactionId: string): Shapes['FinalizeRequest'] => ({
  processingAccountId: account,
  transactionId,
})

export const cancelOf = (account: string, transactionId: string): Shapes['CancelRequest'] => ({
  ...finalizeOf(account, transactionId),
  clientTransactionId: `cancel-${randomUUID()}`,
})

export const captureOf = (account: string, transactionId: string, amount?: number): Shapes['CaptureRequest'] => ({
  ...finalizeOf(account, transactionId),
  clientTransactionId: `capture-${randomUUID()}`,
  ...(amount === undefined ? {} : { paymentDetails: { amount } }),
})

export const refundOf = (account: string, transactionId: string, amount?: number): Shapes['RefundRequest'] => ({
  ...finalizeOf(account, transactionId),
  clientTransactionId: `refund-${randomUUID()}`,
  paymentDetails: { description: 'Contract check', ...(amount === undefined ? {} : { amount }) },
})

/** A copy with the member at a dotted path set, or taken away where `value` is undefined. */
export const edit = <Body extends object>(body: Body, path: string, value: unknown): Body => {
  const copy = structuredClone(body)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce<Record<string, unknown>>(
    (part, name) => part[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  )
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}
