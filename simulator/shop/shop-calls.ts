import { CallError } from '../../contracts/client/call-errors.ts'
import type { Merchant, MerchantResponse, Shapes } from '../../contracts/client/merchant-client.ts'
import { isTemporaryDecline } from '../../contracts/protocol/reason-codes.ts'
import type { Purchase } from '../../hosted-pages/shop/demo-shop-types.ts'
import { pause } from '../support/clock.ts'

type Outcome = Pick<Shapes['StatusResponse'], 'status' | 'statusInfo'>

/**
 * Awaits a call of the demo shop to the payment API and returns its response; undefined for a response that is lost,
 * unverified or a 5xx, as the outcome is read later. Nothing else is caught.
 */
export const responseOf = async <Body>(
  call: Promise<MerchantResponse<Body>>,
): Promise<MerchantResponse<Body> | undefined> => {
  try {
    const response = await call
    return response.ok || response.status < 500 ? response : undefined
  } catch (error) {
    if (error instanceof CallError) return undefined
    throw error
  }
}

/** Waits in milliseconds before each repetition of a call that was declined for now. */
const BACKOFF = [250, 500, 1_000]

/**
 * Whether a response to the demo shop is a temporary decline by the provider, after which the same call under its key
 * is worth a repetition (7.4.2).
 */
export const isForNow = ({ status, statusInfo }: Outcome): boolean =>
  status === 'DECLINED' && isTemporaryDecline(statusInfo.reasonCode)

/** Repeats a call under its key while the provider declines it for now; returns the last response, or undefined. */
export const decidedResponseOf = async <Body extends Outcome>(call: () => Promise<MerchantResponse<Body>>) => {
  for (const wait of BACKOFF) {
    const response = await responseOf(call())
    if (!response?.ok || !isForNow(response.body)) return response
    await pause(wait)
  }
  return responseOf(call())
}

/** Starts the payment of a purchase; the order's id is in its key, so that repeating it pays nothing twice (I2). */
export const startPayment = (merchant: Merchant, purchase: Purchase) => {
  const { orderId, method, price, payerId, code = '', keeps, returnUrl, locale } = purchase
  const common = {
    processingAccountId: accountOf(merchant),
    clientTransactionId: orderId,
    paymentDetails: price,
    requestContext: { channel: 'WEB' as const, locale },
  }
  const key = { idempotencyKey: `${orderId}-initiate` }
  if (method === 'kept')
    return merchant.charge({ ...common, providerDetails: { providerId: 'BLIK' }, payerDetails: { payerId } }, key)
  return merchant.initiate(
    {
      ...common,
      transactionType: keeps ? 'RECURRING' : 'ONE_TIME',
      providerDetails: { providerId: method },
      payerDetails: { payerId, ...(method === 'BLIK' ? { oneTimeCode: code } : {}) },
      ...(returnUrl === undefined || method === 'BLIK' ? {} : { returnUrl }),
    },
    key,
  )
}

/** Returns the account on which the demo shop sells: the first of its kit. */
export const accountOf = ({ credentials }: Merchant): string => credentials.processingAccountIds[0] ?? ''
