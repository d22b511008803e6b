import type { Merchant } from '../client/merchant.ts'
import type { Operator } from './operator.ts'

/** One organization that plays: its merchant, who may act for its shoppers, and the account that it uses. */
export type Player = { merchant: Merchant; operator: Operator; account: string }

/** Runs at its first call and gives everybody the same result. */
export const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
