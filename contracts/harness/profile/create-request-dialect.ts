import type { RequestDialect } from '../../client/client-language.ts'
import { escapeSegment, pointerSegments } from '../../dialect/json-pointer.ts'
import { placeOf } from '../../dialect/member-places.ts'
import { SAME_IDS } from '../../dialect/numeric-ids.ts'
import { createRequestLens, takesMember } from '../../dialect/request-lens.ts'
import { createValueForms } from '../../dialect/value-forms.ts'
import type { OperationName } from '../../operations.ts'
import type { Profile } from './profile.ts'

/** Secret request and response members, which no report may show. */
const SECRETS = ['oneTimeCode', 'paymentToken']

/** Creates the request dialect of a profile: its lens of requests, and the names of its secrets. */
export const createRequestDialect = (profile: Profile): RequestDialect => ({
  ...createRequestLens(profile),
  secretMembers: secretsOf(profile),
})

/** Returns the sentence by which the profile says that an operation takes no such member; undefined where it does. */
export const untakenReason = (profile: Profile, operation: OperationName, path: string): string | undefined =>
  takesMember(profile, operation, path) ? undefined : `${profile.file} says requests.without.${operation}: ${path}`

/** Formats a transaction id as the request bodies of this deployment hold it: a text, or a number of any size. */
export const formatTransactionId = (profile: Profile, transactionId: string): unknown =>
  createValueForms(profile, SAME_IDS).write('transactionId', transactionId)

/** Returns the JSON pointer to a request member: its profile line, else below the nearest parent that has one. */
export const requestPointer = (profile: Profile, endpoint: OperationName, path: string): string =>
  placeOf(createRequestLens(profile).placesOf(endpoint), path)
    .map(segment => `/${escapeSegment(segment)}`)
    .join('')

const secretsOf = ({ requests, fields, members }: Profile): string[] => {
  const { always: _, without: __, ...lines } = requests ?? {}
  const tables = [lines, fields ?? {}, members ?? {}].flatMap(table => Object.values(table))
  return tables
    .flatMap(Object.entries<string>)
    .filter(([name]) => SECRETS.includes(name.slice(name.lastIndexOf('.') + 1)))
    .flatMap(([, pointer]) => pointerSegments(pointer).slice(-1))
}
