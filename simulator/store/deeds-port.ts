import type { OrganizationClock } from './clocks.ts'

/** What people did beside the contract: a shopper's press of a button, or a move of the clock. */
export type Deed = ClockMove | ShopperClick

/** The clock was moved or its pace changed: from one of its instants to another, at the rate that it has now. */
export type ClockMove = {
  kind: 'clock'
  at: number
  until: number
  way: 'advance' | 'next' | 'to' | 'drain' | 'freeze' | 'real' | 'scale'
  rate: number
  ran: number
  /** Real time: tells the order where the clock stands still. */
  real: number
}

/** What a shopper pressed; `late` where that changed nothing any more. */
export type ShopperClick = {
  kind: 'shopper'
  at: number
  transactionId: string
  action: string
  late?: true
  real: number
}

/** The part of the port that remembers what people did, and looks ahead at what the clock will do. */
export type DeedStore = {
  addDeed(organizationId: string, deed: Deed): Promise<void>
  /** Those about a payment, and the moves of the clock from an instant on; in the order of their happening. */
  deeds(organizationId: string, transactionId: string, from: number): Promise<readonly Deed[]>
  /** What the clock will bring, soonest first; of one payment where one is named. */
  agenda(organizationId: string, query: { transactionId?: string; limit: number }): Promise<readonly Coming[]>
  /** All organizations, in the order of their names: how their clocks run, and what they are wanted for. */
  clocks(): Promise<readonly OrganizationClock[]>
}

/** A deadline, a late answer or a delivery that waits for the clock. */
export type Coming = { at: number; name: string; transactionId?: string; deliveryId?: string }
