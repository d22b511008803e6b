import type { DialectLines, MessageName } from './dialect-lines.ts'
import { pointerOf } from './json-pointer.ts'
import { placeOf } from './member-places.ts'
import { createResponseLens, FIELD_MEMBERS, LISTS } from './response-lens.ts'

const OUTCOME = ['transactionId', 'status', 'reasonCode'] as const
const SUMS = ['captured', 'refunded'] as const

/** Names in `fields` of the response members that checks read, by message. */
const FIELDS = {
  initiate: [...OUTCOME, 'redirectUrl', 'providerTransactionId', 'registeredAt', 'expiresAt'],
  finalize: ['paymentToken'],
  charge: ['transactionId'],
  status: ['state', 'reasonCode'],
  events: [...OUTCOME, ...SUMS, 'list', 'state'],
  webhook: OUTCOME,
  search: ['list', 'transactionId'],
  providers: ['list', 'providerId'],
} as const satisfies Partial<Record<MessageName, readonly string[]>>

type Pointers = NonNullable<DialectLines['fields']>

/**
 * Completes the `fields` of a profile from its `members` and `naming`, where those already say where response members
 * are: JSON pointers, those in the items of a list from the item. A profile without these lines keeps what it has.
 */
export const completedFields = (lines: DialectLines): DialectLines['fields'] => {
  const { fields = {}, members, naming } = lines
  if (!members && !naming) return lines.fields
  const { placesOf } = createResponseLens(lines)
  const pointers = Object.entries(FIELDS).map(([message, names]): [string, Pointers[string]] => {
    const places = placesOf(message as MessageName)
    const { list = '', items = [] } = LISTS[message as MessageName] ?? {}
    const placeOfField = (name: string) => {
      if (name === 'list') return placeOf(places, list)
      if (items.includes(name)) return placeOf(places.itemsOf(list), name)
      return placeOf(places, FIELD_MEMBERS[name] ?? name)
    }
    const derived = names.map(name => [name, pointerOf(placeOfField(name))])
    return [message, { ...Object.fromEntries(derived), ...fields[message] }]
  })
  return { ...fields, ...Object.fromEntries(pointers) }
}
