import { DECLINES, type DeclineName } from '../../contracts/protocol/decline-reasons.ts'

/** Actions of a shopper on a payment that awaits the decision; `lapse` lets the window expire. */
export const SHOPPER_ACTIONS = ['approve', 'decline', 'lapse'] as const
export type ShopperAction = (typeof SHOPPER_ACTIONS)[number]

/** Names of a bank's decline reasons that have no code in 7.5 (D-104). */
export const BANK_DECLINE_REASONS = Object.keys(DECLINES) as readonly DeclineName[]

/** Decision of a shopper or the bank on a payment, and how it was made (R6, R7). */
export type ShopperDecision = {
  action: ShopperAction
  /** Why the bank declines, where it is not the shopper who does (D-104). */
  cause?: DeclineName | undefined
  /** Whether the shopper also consents to a mandate, if the shop asks for one; absent means yes. */
  keep?: boolean | undefined
  /** Milliseconds that the bank takes before a consent takes effect; absent means none. */
  after?: number | undefined
}
