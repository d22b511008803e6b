import { escapeSegment } from '../../contracts/dialect/json-pointer.ts'
import { constantsOf, takesMember } from '../../contracts/dialect/request-lens.ts'
import type { OperationName } from '../../contracts/operations.ts'
import type { RequestMembers, UnknownMember } from '../../contracts/schema/known-and-unknown-request-members.ts'
import { findNearestMember } from '../../contracts/schema/nearest-known-request-member.ts'
import { truncate } from '../support/untrusted-text.ts'
import type { ApiCall } from './api-call.ts'
import type { SpokenTarget } from './dialect-request-and-reply-translation.ts'

/** Maximum number of unknown members that a call tells. */
const MAX_MEMBERS = 20

type Sent = {
  route: { operation: OperationName; schema: string | undefined }
  request: object
  target: SpokenTarget
  members: RequestMembers
}

/** Finds the members of a request, and the parameters of its query, that its operation does not have (D-46). */
export const findUnknownMembers = (
  { dialect, incoming }: Pick<ApiCall, 'dialect' | 'incoming'>,
  { route: { operation, schema }, request, target, members }: Sent,
): UnknownMember[] => {
  const { requests } = dialect.lenses ?? {}
  const spell = (path: string): string => requests?.spell(operation, path) ?? path
  const inQuery = incoming.method === 'GET' || incoming.method === 'HEAD'
  const inMessage = schema === undefined ? [] : members.unknown(schema, request)
  const names = schema !== undefined && inQuery ? [] : [...new Set(target.query.keys())]
  const unknown = [...inMessage.filter(path => !requests?.placesOf(operation).own(path)).map(spell), ...names]
  if (unknown.length === 0) return []
  const allowed = new Set([
    ...constantsOf(dialect.lines, operation).map(([pointer]) => spell(pointer)),
    ...(target.queryNames ?? []),
  ])
  const known = (schema === undefined ? [] : members.known(schema))
    .filter(path => takesMember(dialect.lines, operation, path))
    .map(spell)
  return unknown
    .filter(member => !allowed.has(member))
    .slice(0, MAX_MEMBERS)
    .map(member => {
      const nearest = findNearestMember(member, known)
      return { member: truncate(member), ...(nearest === undefined ? {} : { nearest }) }
    })
}

/**
 * Returns what a refusal says of unknown members; names that a dialect spelt already are JSON pointers, which stay as
 * they are (D-46).
 */
export const unknownMemberFaults = (unknown: readonly UnknownMember[], isSpoken: boolean): Record<string, string> =>
  Object.fromEntries(
    unknown.map(({ member, nearest }) => [
      isSpoken ? `/${escapeSegment(member)}` : member,
      nearest === undefined ? 'is not known here' : `is not known here: the nearest is ${nearest}`,
    ]),
  )

/**
 * Returns the response header that names the unknown members of an accepted request, percent-encoded, with
 * `--unknown-members note`.
 */
export const unknownMembersHeader = (unknown: readonly UnknownMember[]): Record<string, string> =>
  unknown.length === 0
    ? {}
    : { 'assay-unknown-members': unknown.map(({ member }) => encodeURIComponent(member.toWellFormed())).join(', ') }
