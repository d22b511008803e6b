import { choiceOf } from '../dialect/decision-choices.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { OperationName } from '../operations.ts'
import { isJsonObject, type JsonObject } from '../protocol/canonical-json.ts'
import type { SentCall } from './organizations-and-values-of-play.ts'

/** Members of a body that a repeated call may change, so that its key is used with another payload (I4). */
export const CHANGED_MEMBERS = [
  'paymentDetails.amount',
  'paymentDetails.description',
  'clientTransactionId',
  'transactionId',
] as const
export type ChangedMember = (typeof CHANGED_MEMBERS)[number]

/** Operations whose reference is sent as that of their payment where a profile says so (D-48). */
const REPEATING: readonly OperationName[] = ['capture', 'cancel', 'refund']

/** Returns the members of a call's body that a repeated call can change on the wire. */
export const changeableMembers = (profile: Profile, { operation, json }: Pick<SentCall, 'operation' | 'json'>) => {
  const isRepeated = choiceOf(profile, 'D-48') === 'of-payment' && REPEATING.includes(operation)
  return CHANGED_MEMBERS.filter(
    path => memberAt(json, path) !== undefined && !(isRepeated && path === 'clientTransactionId'),
  )
}

/** Returns the value at a dotted path of a body; undefined where there is none. */
export const memberAt = (json: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), json)

/** Copies a body with the member at a dotted path set; undefined removes it. */
export const withMemberAt = (json: unknown, path: string, value: unknown): JsonObject => {
  const copy = structuredClone(isJsonObject(json) ? json : {})
  const names = path.split('.')
  const last = names.pop() ?? ''
  let part = copy
  for (const name of names) {
    part[name] ??= {}
    part = part[name] as JsonObject
  }
  if (value === undefined) delete part[last]
  else part[last] = value
  return copy
}
