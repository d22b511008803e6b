import type { PaymentTimeline } from '../portal/timeline/timeline-mark-types.ts'
import type { Say } from '../text-lookup-by-language.ts'
import type { ShopAddress } from './shop-paths.ts'

/** A purchase as the page of the shop sends it; the price in minor units. */
export type Purchase = {
  organizationId: string
  /** The shop's reference, made with the page: who clicks twice buys once. */
  orderId: string
  /** `kept` charges a payer who has consented, without the shopper. */
  method: 'BLIK' | 'IRIS' | 'kept'
  price: { amount: number; currency: string; country: string; description: string }
  payerId: string
  code?: string
  /** Whether the shop asks to keep the payer for later payments. */
  keeps?: boolean
  returnUrl?: string
  locale: string
}

/** A step of an order: a call of the shop to the API, or a webhook that it received and verified. */
export type ShopStep = { kind: 'call' | 'webhook'; name: string; isGood: boolean }

/** An order of a demo shop as its page shows it; amounts in minor units. */
export type ShopOrder = {
  orderId: string
  state: 'waiting' | 'paid' | 'refunded' | 'failed' | 'unknown'
  method: 'BLIK' | 'IRIS'
  amount: number
  currency: string
  description: string
  /** What the service said when it refused or declined, or why nothing is known. */
  problem?: string
  /** The reasonCode of that (7.2), by which the page finds words for the shopper. */
  reasonCode?: string
  transactionId?: string
  /** Where the shopper goes to pay, for IRIS. */
  redirectUrl?: string
  /** Set where the payer's bank keeps the shop. */
  isKept?: boolean
  steps: readonly ShopStep[]
}

/**
 * Features of the merchant's side of the demo shops that their pages need: keys, payments, orders, refunds and
 * timelines.
 */
export type ShopFeatures = {
  keyOf: (organizationId: string) => Promise<string>
  isKey: (organizationId: string, key: string) => Promise<boolean>
  nameOf: (organizationId: string) => string
  newOrderId: () => string
  newPayerId: () => string
  /** What a browser shows to be a payer of a shop, whose id alone others may know. */
  payerProofOf: (organizationId: string, payerId: string) => Promise<string>
  isPayer: (organizationId: string, payer: { payerId: string; proof: string }) => Promise<boolean>
  /** Undefined where the organization or the reference is none. */
  pay: (purchase: Purchase) => Promise<ShopOrder | undefined>
  /** The order; `isBack` where the shopper comes back from a bank. */
  order: (organizationId: string, orderId: string, isBack: boolean) => Promise<ShopOrder | undefined>
  refund: (organizationId: string, orderId: string) => Promise<ShopOrder | undefined>
  /** Whether the consent by which a payer is kept is valid now. */
  isKept: (organizationId: string, payerId: string) => Promise<boolean>
  /** All that happened to the payment of an order, for the stage. */
  timeline: (organizationId: string, transactionId: string) => Promise<PaymentTimeline>
}

/** Data that every page of a demo shop gets: whose shop it is, and how this browser shows it. */
export type ShopView = ShopAddress & { say: Say; name: string; isDemo: boolean; isOperator: boolean }
