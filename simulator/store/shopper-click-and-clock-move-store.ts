/** An activity of a person outside the payment API: a shopper's click or a clock move. */
export type Activity = ClockMove | ShopperClick

/**
 * A clock move or rate change as stored: from `at` to `until` on the organization's clock, which now runs at `rate`.
 */
export type ClockMove = {
  kind: 'clock'
  at: number
  until: number
  way: 'advance' | 'next' | 'to' | 'drain' | 'freeze' | 'real' | 'scale'
  rate: number
  ran: number
  /** Real time, which gives the order while the organization's clock stands still. */
  real: number
}

/** A shopper's click on a button of a hosted page; `late` if the click came too late to change anything. */
export type ShopperClick = {
  kind: 'shopper'
  at: number
  transactionId: string
  action: string
  late?: true
  real: number
}

/** Store operations for activities: shoppers' clicks and clock moves. */
export type ActivityStore = {
  addActivity(organizationId: string, activity: Activity): Promise<void>
  /** Shopper clicks on a payment, and clock moves that end at `from` or later, in the order in which they happened. */
  activities(organizationId: string, transactionId: string, from: number): Promise<readonly Activity[]>
}
