import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { SCOPES, type Scope } from '../../contracts/operations.ts'
import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'
import { Refusal } from '../support/refusal.ts'
import { truncate } from '../support/untrusted-text.ts'
import type { AccessTokens } from './access-tokens.ts'
import { type ApiContext, type IdentifiedCall, readHeader, respond } from './api-call.ts'
import type { SpokenTarget } from './dialect-request-and-reply-translation.ts'
import type { RequestValidator } from './request-validator.ts'
import { findUnknownMembers } from './unknown-members.ts'

/** Creates the handler of `POST /auth/token` (5.3): OAuth client credentials, behind certificate and signature. */
export const createTokenEndpoint =
  (tokens: AccessTokens, loadValidator: () => Promise<RequestValidator>) =>
  async (c: ApiContext, call: IdentifiedCall, target: SpokenTarget): Promise<Response> => {
    call.operation = 'token'
    const { organizationId } = call.organization
    const { choices } = call.dialect
    const form = readForm(call.body, readHeader(call, 'content-type'))
    const route = { operation: 'token', schema: 'TokenRequest' } as const
    const { members } = await loadValidator()
    const unknown = findUnknownMembers(call, { route, request: form, target, members }) // never refused (RFC 6749 3.2)
    if (unknown.length > 0) call.unknown = unknown
    if (form.grant_type !== 'client_credentials')
      throw invalid('grant_type', form.grant_type ? 'must be client_credentials' : 'is missing')
    if (!form.client_id) throw invalid('client_id', 'is missing')
    const scopes = grantedScopes(form.scope ?? '', choices)
    if (form.client_id !== organizationId) throw mismatch(organizationId, form.client_id, choices)
    const { token, expiresInSeconds } = await tokens.issue(call.organization, scopes)
    const answer = {
      access_token: token,
      expires_in: expiresInSeconds,
      refresh_expires_in: 0,
      token_type: 'Bearer',
      'not-before-policy': 0,
      scope: scopes.join(' '),
    }
    return respond(c, { http: 200, body: JSON.stringify(answer) })
  }

const mismatch = (expected: string, came: string, choices: DecisionChoices): Refusal =>
  new Refusal(
    choices['D-57'] === '401' ? 'TOKEN_REFUSED' : 'FORBIDDEN',
    'token',
    "client_id is not the certificate's organization.",
    { diagnosis: { expected, came: truncate(came) } },
  )

/** Scopes to grant: those requested, and payments:read in any case (5.3); refuses an unknown scope (D-55). */
const grantedScopes = (asked: string, choices: DecisionChoices): Scope[] => {
  const words = asked.split(' ').filter(Boolean)
  const unknown = words.find(word => !SCOPES.some(scope => scope === word))
  if (unknown !== undefined && choices['D-55'] !== 'ignored')
    throw invalid('scope', `knows ${SCOPES.join(', ')}, not ${JSON.stringify(truncate(unknown))}`)
  return SCOPES.filter((scope, index) => index === 0 || words.includes(scope))
}

const readForm = (body: Buffer, contentType: string | undefined): Record<string, string> => {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? ''))
    throw invalid('Content-Type', 'must be application/x-www-form-urlencoded', 'MEDIA_TYPE_REFUSED')
  const entries = [...new URLSearchParams(body.toString())]
  const names = new Set<string>()
  for (const [name] of entries) {
    if (names.has(name)) throw invalid(truncate(name), 'stands more than once')
    names.add(name)
  }
  return Object.fromEntries(entries)
}

const invalid = (field: string, fault: string, name: RefusalName = 'INVALID_INPUT'): Refusal =>
  new Refusal(name, 'validation', `The token request is not valid: ${field} ${fault}.`, {
    fields: { [field]: fault },
  })
