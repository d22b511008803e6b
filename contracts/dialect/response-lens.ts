import { isJsonObject } from '../protocol/canonical-json.ts'
import type { DialectLines, MessageName } from './dialect-lines.ts'
import { pointerSegments } from './json-pointer.ts'
import { createMemberPlaces, type MemberPlaces, type Pointers, placeOf } from './member-places.ts'
import { type IdForm, SAME_IDS } from './numeric-ids.ts'
import { readMembers } from './read-members.ts'
import { hasCoarseStates } from './state-words.ts'
import { stateToStatus, statusToState, tellsStateAsStatus } from './status-as-state.ts'
import { createValueForms } from './value-forms.ts'
import { writeMembers } from './write-members.ts'

/** Lens of responses, refusals and webhooks: writes their JSON in a deployment's dialect, and reads it back. */
export type ResponseLens = {
  write(message: MessageName, body: unknown): unknown
  read(message: MessageName, spoken: unknown): unknown
  /** The dotted name of a member as the deployment spells it. */
  spell(message: MessageName, path: string): string
  placesOf(message: MessageName): MemberPlaces
}

/** Messages whose form is not the payment API's: an OAuth response and a JWK set (2.8, 5.4). */
export const STANDARD: readonly MessageName[] = ['token', 'keySet']

/** Creates the lens of responses from `members`, `fields`, `errors`, `naming`, `enums`, `states`, `forms` and `ids`. */
export const createResponseLens = (lines: DialectLines, ids: IdForm = SAME_IDS): ResponseLens => {
  const values = createValueForms(lines, ids)
  const known = new Map<MessageName, MemberPlaces>()
  const placesOf = (message: MessageName): MemberPlaces => {
    const places =
      known.get(message) ?? createMemberPlaces({ ...memberLines(lines, message), values, naming: lines.naming })
    known.set(message, places)
    return places
  }
  const isOneWord = (message: MessageName) => message !== 'refusal' && tellsStateAsStatus(lines)
  return {
    placesOf,
    write: (message, body) => {
      if (!isJsonObject(body) || STANDARD.includes(message)) return body
      return writeMembers(isOneWord(message) ? statusToState(body) : body, placesOf(message))
    },
    read: (message, spoken) => {
      if (typeof spoken !== 'object' || !spoken || STANDARD.includes(message)) return spoken
      const body = readMembers(spoken, placesOf(message))
      return isOneWord(message) ? stateToStatus(body) : body
    },
    spell: (message, path) => placeOf(placesOf(message), path).join('.'),
  }
}

/** Members of the document by the names that `fields` has for them; those of a list's items have its name in front. */
export const FIELD_MEMBERS: Readonly<Record<string, string>> = {
  transactionId: 'transactionId',
  redirectUrl: 'providerDetails.redirectUrl',
  reasonCode: 'statusInfo.reasonCode',
  status: 'status',
  providerTransactionId: 'providerDetails.providerTransactionId',
  registeredAt: 'providerDetails.registeredAt',
  expiresAt: 'providerDetails.expiresAt',
  paymentToken: 'payerDetails.paymentToken',
  state: 'lifecycle.state',
  captured: 'paymentDetails.capturedAmount',
  refunded: 'paymentDetails.refundedAmount',
}

/** Lists in the responses of operations, with the names in `fields` of members of their items. */
export const LISTS: Readonly<Partial<Record<MessageName, { list: string; items: readonly string[] }>>> = {
  events: { list: 'timeline', items: [] },
  search: { list: 'payments', items: ['transactionId'] },
  providers: { list: 'providers', items: ['providerId'] },
}

const memberLines = (lines: DialectLines, message: MessageName) => {
  if (message === 'refusal') return refusalLines(lines)
  const { all = {}, [message]: own = {} } = lines.members ?? {}
  const root = own[''] ?? all[''] ?? ''
  const { pointers, items } = fieldLines(lines, message)
  return {
    pointers: writable({
      ...fieldLines(lines, 'initiate').pointers,
      ...below(root, all),
      ...pointers,
      ...below(root, withoutItems(own, LISTS[message]?.list)),
    }),
    items: { ...own, ...items },
    inItems: Object.fromEntries(Object.entries(all).filter(([path]) => path !== '')),
    has: hasCoarseStates(lines) ? (path: string) => !TELLING.test(path) : () => true,
  }
}

/** Lines of a message's own members, without those of a list's items. */
const withoutItems = (lines: Pointers, list: string | undefined): Pointers =>
  Object.fromEntries(Object.entries(lines).filter(([path]) => list === undefined || !path.startsWith(`${list}.`)))

/** Puts the lines of members below the place of the message. */
const below = (root: string, lines: Pointers): Pointers =>
  Object.fromEntries([
    ...(root === '' ? [] : [['', root]]),
    ...Object.entries(lines).flatMap(([path, pointer]) => (path === '' ? [] : [[path, `${root}${pointer}`]])),
  ])

/** Lines of `fields`, which name their places from the whole body, by the document's names. */
const fieldLines = (lines: DialectLines, message: MessageName): { pointers: Pointers; items: Pointers } => {
  const { fields = {} } = lines
  const lists = LISTS[message]
  const pointers: Record<string, string> = {}
  const items: Record<string, string> = {}
  for (const [name, pointer] of Object.entries(fields[message] ?? {})) {
    const member = FIELD_MEMBERS[name === 'status' && tellsStateAsStatus(lines) ? 'state' : name] ?? name
    const inItem = lists && pointerInItem(pointer, fields[message]?.list)
    if (lists?.items.includes(name)) items[`${lists.list}.${name}`] = pointer
    else if (lists && name === 'list') pointers[lists.list] = pointer
    else if (lists && inItem) items[`${lists.list}.${member}`] = inItem
    else pointers[member] = pointer
  }
  return { pointers, items }
}

/** Returns the pointer from an item of a list, where a pointer leads through one of its items. */
const pointerInItem = (pointer: string, list: string | undefined): string | undefined =>
  list === undefined || !pointer.startsWith(`${list}/`)
    ? undefined
    : /^\/(?:\d+|-)(\/.*)$/.exec(pointer.slice(list.length))?.[1]

/** A place within a list, but for its first item, can be read and not be written: it is the item that happens to be there. */
const isWritable = ([, pointer]: [string, string]): boolean =>
  !pointerSegments(pointer).some(name => /^([1-9]\d*|-)$/.test(name))

const writable = (pointers: Pointers): Pointers => Object.fromEntries(Object.entries(pointers).filter(isWritable))

/** Returns the places of `fields` that can be read and not be written, by the document's names. */
export const readOnlyPlaces = (lines: DialectLines, message: MessageName): Pointers =>
  Object.fromEntries(Object.entries(fieldLines(lines, message).pointers).filter(line => !isWritable(line)))

/** Lines of a refusal: the code and the call id by `errors`, the sentence beside the code, both as `naming` says without; its status only in our own form (D-08). */
const refusalLines = ({ errors = {}, members = {} }: DialectLines) => {
  const [code] = [errors.reasonCode ?? []].flat()
  const own = members.refusal ?? {}
  const isOwnForm = code === undefined || code === OWN_CODE
  return {
    pointers: {
      ...(code !== undefined && {
        'statusInfo.reasonCode': code,
        'statusInfo.message': `${code.slice(0, code.lastIndexOf('/'))}/message`,
      }),
      ...(errors.callId === undefined ? {} : { callId: errors.callId }),
      ...own,
    },
    has: (path: string) => isOwnForm || path !== 'status' || 'status' in own,
  }
}

const OWN_CODE = '/statusInfo/reasonCode'

/** Members that would tell more than a deployment tells whose words of states stand for several stages. */
const TELLING = /(^|\.)lifecycle\.(stage|final)$/
