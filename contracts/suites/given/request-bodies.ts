import { randomUUID } from 'node:crypto'
import type { Shapes } from '../../client/merchant-client.ts'

/** Amount of every payment of the checks; captures and refunds name it, as some services require one. */
const WHOLE = 1000

/** Where shoppers return to unless the profile says so by `target.returnUrl`: a service may want a host that it knows (D-110). */
export const RETURN_URL = 'https://shop.example/return'

/** Who initiates a payment: a processing account, and the address to which its shoppers return. */
type Shop = { account: string; returnUrl?: string | undefined }

/**
 * Returns a reference or a payer id that no other call uses, of 20 letters and digits: no form of them is stated (2.1,
 * 2.3), so that a service may want them short.
 */
export const uniqueReference = (): string => randomUUID().replaceAll('-', '').slice(-20)

/**
 * Returns a check's body of a valid one-time BLIK initiate (2.1, E4); without `autoCapture` the service default
 * applies.
 */
export const blikPayment = (
  account: string,
  oneTimeCode: string,
  autoCapture?: boolean,
): Shapes['InitiateRequest'] => ({
  processingAccountId: account,
  clientTransactionId: uniqueReference(),
  transactionType: 'ONE_TIME',
  paymentDetails: {
    amount: WHOLE,
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

/** Returns a check's body of a valid BLIK initiate that asks for a mandate: RECURRING or TOKEN_ONLY (1, 2.3). */
export const blikMandatePayment = (
  account: string,
  payerId: string,
  transactionType: 'RECURRING' | 'TOKEN_ONLY',
): Shapes['InitiateRequest'] => ({
  ...blikPayment(account, ''),
  transactionType,
  payerDetails: { payerId, oneTimeCode: '' },
})

/** Returns a check's body of a valid charge of a mandate (2.5); without `autoCapture` the service default applies. */
export const chargeBody = (
  account: string,
  payerDetails: Shapes['ChargeRequest']['payerDetails'],
  autoCapture?: boolean,
): Shapes['ChargeRequest'] => {
  const { paymentDetails, providerDetails } = blikPayment(account, '', autoCapture)
  return {
    processingAccountId: account,
    clientTransactionId: uniqueReference(),
    transactionType: 'RECURRING',
    paymentDetails: { ...paymentDetails, amount: WHOLE },
    providerDetails,
    payerDetails,
  }
}

/** Returns a check's body of a valid IRIS initiate (2.1, E4); without `autoCapture` the service default applies. */
export const irisPayment = ({ account, returnUrl = RETURN_URL }: Shop): Shapes['InitiateRequest'] => ({
  processingAccountId: account,
  clientTransactionId: uniqueReference(),
  returnUrl,
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: WHOLE, currency: 'EUR', country: 'GR', description: 'Contract check' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: uniqueReference() },
})

/** Returns a check's body of finalize (4): the account and the payment. */
export const finalizeBody = (account: string, transactionId: string): Shapes['FinalizeRequest'] => ({
  processingAccountId: account,
  transactionId,
})

/** Returns a check's body of cancel (4), with a fresh clientTransactionId. */
export const cancelBody = (account: string, transactionId: string): Shapes['CancelRequest'] => ({
  ...finalizeBody(account, transactionId),
  clientTransactionId: uniqueReference(),
})

/** Returns a check's body of capture (4), in full unless an amount is given. */
export const captureBody = (account: string, transactionId: string, amount = WHOLE): Shapes['CaptureRequest'] => ({
  ...finalizeBody(account, transactionId),
  clientTransactionId: uniqueReference(),
  paymentDetails: { amount },
})

/** Returns a check's body of refund (4), in full unless an amount is given. */
export const refundBody = (account: string, transactionId: string, amount = WHOLE): Shapes['RefundRequest'] => ({
  ...finalizeBody(account, transactionId),
  clientTransactionId: uniqueReference(),
  paymentDetails: { description: 'Contract check', amount },
})

/** What makes the body of each act on a payment. */
export const BODIES_OF_ACTS = { finalize: finalizeBody, capture: captureBody, cancel: cancelBody, refund: refundBody }

/**
 * Copies a check's request body with the member at a dotted path set. `undefined` removes it from the JSON that is
 * sent, and the constants of the profile do not bring it back.
 */
export const withMember = <Body extends object>(body: Body, path: string, value: unknown): Body => {
  const copy = structuredClone(body)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce<Record<string, unknown>>(
    (part, name) => part[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  )
  parent[last] = value
  return copy
}
