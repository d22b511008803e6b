import type { Exchange } from '../../client/http-exchange.ts'
import type { Merchant, Shapes } from '../../client/merchant-client.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'
import type { ControlDriver } from '../context/control-driver.ts'

export type InitiateBody = Shapes['InitiateRequest']
/** What the shopper of a payment does; `wait`: nothing until told. */
export type ShopperOutcome = 'approve' | 'decline' | 'lapse' | 'wait'

/** One way to have a shopper act, on the payments of one organization. */
export type ShopperDriver = {
  /** Whether it can bring this outcome about for payments of this method. */
  offers(provider: ProviderId, outcome: ShopperOutcome): boolean
  /** Returns the initiate body for a payment that will end so, such as with a one-time code. */
  prepare(body: InitiateBody, outcome: ShopperOutcome): Promise<InitiateBody>
  /** Makes the shopper of an initiated payment act; returns once that is done. */
  act(
    payment: { transactionId: string; initiated: Exchange; provider: ProviderId },
    outcome: ShopperOutcome,
  ): Promise<unknown>
}

export type ShopperDriverParts = { profile: Profile; merchant: Merchant; control: ControlDriver }
