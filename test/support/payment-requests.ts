import type { Payment } from '../../simulator/payments/payment.ts'
import { ACCOUNT } from './simulator-core.ts'

export const BLIK = { currency: 'PLN', country: 'PL', description: 'Two jars of honey' }
export const IRIS = { currency: 'EUR', country: 'GR', description: 'One lamp' }

/** The `payerId` of test payments that create a mandate. */
export const PAYER = 'payer-1'

export type Wanted = { amount?: number; autoCapture?: boolean; transactionType?: Payment['transactionType'] }

/** Creates the body of a test's request to initiate a BLIK payment (2.1) with a one-time code. */
export const blikRequest = (oneTimeCode: string, wanted: Wanted = {}) => {
  const { amount = 1000, transactionType = 'ONE_TIME', ...more } = wanted
  return {
    processingAccountId: ACCOUNT,
    clientTransactionId: 'order-1',
    transactionType,
    paymentDetails: { amount, ...BLIK, ...more },
    providerDetails: { providerId: 'BLIK' as const },
    payerDetails: { oneTimeCode, ...(transactionType === 'ONE_TIME' ? {} : { payerId: PAYER }) },
  }
}

/**
 * Creates the body of a test's request to charge a mandate (2.5), found by its payer unless `payerDetails` is given.
 */
export const chargeRequest = (payerDetails: object = { payerId: PAYER }, { amount = 1000, ...more }: Wanted = {}) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'order-2',
  transactionType: 'RECURRING' as const,
  paymentDetails: { amount, ...BLIK, ...more },
  providerDetails: { providerId: 'BLIK' as const },
  payerDetails,
})

/** Creates the body of a test's request to initiate an IRIS payment (2.1). */
export const irisRequest = ({ amount = 1000, ...more }: Wanted = {}) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'order-1',
  transactionType: 'ONE_TIME' as const,
  returnUrl: 'https://shop.example/back',
  paymentDetails: { amount, ...IRIS, ...more },
  providerDetails: { providerId: 'IRIS' as const },
  payerDetails: { payerId: 'shopper-1' },
})

/** Creates the body of a test's request to finalize, capture, cancel or refund a payment (D-47). */
export const actionRequest = (transactionId: string, amount?: number) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'act-1',
  transactionId,
  paymentDetails: { ...(amount === undefined ? {} : { amount }), description: 'As agreed' },
})

/**
 * Creates the body of a test's `/mock/set` request: a PASSTHROUGH mock with a scenario for the reference `order-1`
 * (2.7).
 */
export const passthroughMock = (scenario: string, more: object = {}) => ({
  processingAccountId: ACCOUNT,
  key: { type: 'CLIENT_TRANSACTION_ID', value: 'order-1' },
  type: 'PASSTHROUGH',
  scenario,
  ...more,
})
