import type { RequestDialect } from '../../client/client-dialect-options.ts'
import { pointerOf } from '../../dialect/json-pointer.ts'
import { placeOf } from '../../dialect/member-places.ts'
import { createRequestLens, takesMember } from '../../dialect/request-lens.ts'
import { secretMemberNames } from '../../dialect/secret-member-names.ts'
import type { OperationName } from '../../operations.ts'
import type { Profile } from './profile.ts'

/** Creates the request dialect of a profile: its lens of requests, and the names of its secrets. */
export const createRequestDialect = (profile: Profile): RequestDialect => ({
  ...createRequestLens(profile),
  secretMembers: secretMemberNames(profile),
})

/**
 * Returns the sentence by which a profile says that requests of an operation lack a member; undefined where they have
 * it.
 */
export const untakenReason = (profile: Profile, operation: OperationName, path: string): string | undefined =>
  takesMember(profile, operation, path) ? undefined : `${profile.file} says requests.without.${operation}: ${path}`

/** Returns the JSON pointer to a request member: its profile line, else below the nearest parent that has one. */
export const requestPointer = (profile: Profile, endpoint: OperationName, path: string): string =>
  pointerOf(placeOf(createRequestLens(profile).placesOf(endpoint), path))
