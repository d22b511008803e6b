import type { ShopperPayment } from '../shopper-payment-and-decision.ts'

/** A bank whose app a BLIK phone can have, as the pages show it. */
export type BlikBank = {
  id: string
  name: string
  /** The end of the account number from which payments are taken. */
  account: string
  keepsShops: boolean
}

/**
 * A shopper's BLIK phone as the pages show it, with bank app and saved shops; whoever knows the phone's id can use it.
 */
export type Phone = { phoneId: string; organizationId: string; bank: BlikBank; shops: readonly KeptShop[] }

/** A shop saved on a BLIK phone for payments without the shopper, until the consent is revoked or ends (1). */
export type KeptShop = {
  paymentToken: string
  payee: string
  /** The shopper's number at the shop. */
  payerId: string
  keptAt: number
  standing: 'valid' | 'revoked' | 'expired'
}

/** A BLIK code as the pages show it, of six digits, with its phone and the payment that was pushed to that phone. */
export type CodeView = {
  codeId: string
  phoneId?: string
  organizationId: string
  code: string
  expiresAt: number
  now: number
  rate: number
  payment?: ShopperPayment
}

/**
 * A payment on a BLIK phone as the pages show it: with the id of the code that it was pushed by, or without one where
 * the shop charged a kept payer.
 */
export type PhonePayment = { codeId?: string; payment: ShopperPayment }

/**
 * Code and payments of a BLIK phone as its home screen shows them: the code that waits for a shop, and the last
 * payments, newest first.
 */
export type PhoneMemory = { openCode?: CodeView; payments: readonly PhonePayment[] }
