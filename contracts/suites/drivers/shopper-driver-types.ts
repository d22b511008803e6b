import type { Exchange } from '../../client/http-exchange.ts'
import type { Merchant, Shapes } from '../../client/merchant-client.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'
import type { ControlDriver } from '../context/control-driver.ts'

export type InitiateBody = Shapes['InitiateRequest']
/** What the shopper of a payment does; `wait` means nothing until told. */
export type ShopperOutcome = 'approve' | 'decline' | 'lapse' | 'wait'

/** An initiated payment whose shopper shall act. */
export type PaymentToAct = { transactionId: string; initiated: Exchange; provider: ProviderId }

/** One way to have a shopper act, on the payments of one organization. */
export type ShopperDriver = {
  /** Returns the profile line by which it brings this outcome about for payments of this method, if it can. */
  lineFor(provider: ProviderId, outcome: ShopperOutcome): string | undefined
  /** Returns the initiate body for a payment that will end so, such as with a one-time code. */
  prepare(body: InitiateBody, outcome: ShopperOutcome): Promise<InitiateBody>
  /** Makes the shopper of an initiated payment act; returns once that is done, throws Blocked where it was not done. */
  act(payment: PaymentToAct, outcome: ShopperOutcome): Promise<unknown>
}

/** Parts from which a shopper driver is created; `ended` aborts when the run is over, so that nothing waits on. */
export type ShopperDriverParts = { profile: Profile; merchant: Merchant; control: ControlDriver; ended: AbortSignal }

/** Whether a shopper's outcome is a decision, as opposed to doing nothing. */
export const isDecision = (outcome: ShopperOutcome): outcome is 'approve' | 'decline' =>
  outcome === 'approve' || outcome === 'decline'
