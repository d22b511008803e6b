import { takesMember } from '../../contracts/dialect/request-lens.ts'
import type { Config } from '../options/options.ts'
import type { ApiCall } from './api-call.ts'
import type { SpokenTarget } from './dialect-request-and-reply-translation.ts'
import { invalidRequest } from './invalid-request.ts'
import type { RequestFaults, RequestValidator } from './request-validator.ts'
import type { Route } from './routes.ts'
import { findUnknownMembers, unknownMemberFaults, unknownMembersHeader } from './unknown-members.ts'

type Parts = { validator: RequestValidator; unknownMembers: Config['unknownMembers'] }
type Sent = { route: Route; request: object; target: SpokenTarget }

/** Validates the request of an API call by its schema; an unknown member is refused or noted (D-46). */
export const validateRequest = (
  call: ApiCall,
  { route, request, target }: Sent,
  { validator, unknownMembers }: Parts,
): void => {
  const { choices, lines, lenses } = call.dialect
  const isFreeText = choices['D-110'] === 'any-text' && hasReturnText(request)
  const has = (path: string) => takesMember(lines, route.operation, path) && !(isFreeText && path === 'returnUrl')
  const faults = route.schema === undefined ? NO_FAULTS : validator.faults(route.schema, request, has)
  const unknown = findUnknownMembers(call, { route, request, target, members: validator.members })
  if (unknown.length > 0) call.unknown = unknown
  const policy = lines.decisions?.['D-46'] ?? (unknownMembers === 'refuse' ? '400' : unknownMembers)
  const told = Object.entries(unknownMemberFaults(unknown, lenses !== undefined))
  const refused = told.filter(([name]) => policy === '400' || Object.hasOwn(faults.fields, name))
  const fields = { ...faults.fields, ...Object.fromEntries(refused) }
  if (Object.keys(fields).length > 0) throw invalidRequest(fields, faults.alternatives)
  if (policy === 'note') Object.assign(call.responseHeaders, unknownMembersHeader(unknown))
}

/** Maximum length of a returnUrl in characters (D-45). */
const MAX_RETURN_LENGTH = 2048

const hasReturnText = (request: { returnUrl?: unknown }): boolean =>
  typeof request.returnUrl === 'string' && request.returnUrl !== '' && request.returnUrl.length <= MAX_RETURN_LENGTH

const NO_FAULTS: RequestFaults = { fields: {}, alternatives: [] }
