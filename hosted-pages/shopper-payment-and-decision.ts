/** A payment as the hosted pages show it to its shopper; times are epoch milliseconds on the organization's clock. */
export type ShopperPayment = {
  organizationId: string
  transactionId: string
  payee: string
  /** Minor units. */
  amount: number
  currency: string
  description: string
  /** Whether the shop asks to be saved for later payments, with a payment now or without one (1). */
  transactionType: 'ONE_TIME' | 'RECURRING' | 'TOKEN_ONLY'
  outcome: 'waiting' | 'approved' | 'declined' | 'expired' | 'canceled'
  /** True after the shopper has confirmed, while the bank is at work: nothing more can be decided. */
  confirming?: boolean
  /** How the money stayed with the shopper after the approval: the shop cancelled the payment, or let it expire. */
  released?: 'canceled' | 'uncollected'
  /** The name of the bank's reason, where it was the bank that declined. */
  cause?: string | undefined
  /** False where the shopper paid and did not consent to save the shop. */
  keeps?: boolean
  /** When waiting ends: the 45 s of BLIK (R6), the validity of IRIS (R7). */
  expiresAt: number
  now: number
  /** How many times as fast as real time the clock runs: 0 where it is frozen. */
  rate: number
  returnUrl?: string
  locale?: string
  createdAt?: number
  /** Minor units that the shop has paid back. */
  refunded?: number
  /** The consent that this payment made, among the kept shops of its phone. */
  paymentToken?: string
}

/** Returns the stage of a payment at the bank: `confirming` while a slow bank processes the approval. */
export const paymentStage = ({ outcome, confirming }: ShopperPayment): ShopperPayment['outcome'] | 'confirming' =>
  outcome === 'waiting' && confirming ? 'confirming' : outcome

/** The action of a shopper on a payment in a hosted page: approve, decline, or nothing until the time is up. */
export type ShopperAction = 'approve' | 'decline' | 'lapse'

export type ShopperChoice = {
  /** Cause for which the bank declines, where the shopper does not. */
  cause?: 'INSUFFICIENT_FUNDS' | 'AMOUNT_LIMIT_EXCEEDED'
  /** Whether the shopper consents to save the shop for later payments, where the shop asks for that. */
  keep?: boolean
  /** How many milliseconds the bank is at work before an approval counts. */
  after?: number
  /** The shopper closes the window after approving, and never returns to the shop. */
  leaves?: boolean
}

/** The feature of the simulator by which pages decide a payment; a decision that comes too late changes nothing. */
export type ShopperDecisions = {
  decide: (
    organizationId: string,
    transactionId: string,
    action: ShopperAction,
    how?: ShopperChoice,
  ) => Promise<ShopperPayment>
}
