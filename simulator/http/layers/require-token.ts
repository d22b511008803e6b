import type { Scope } from '../../../contracts/operations.ts'
import { isTokenRevoked, parseTokenRecord } from '../../organizations/access-token-revocation-record.ts'
import type { Organization } from '../../store/organization-store.ts'
import type { Clock } from '../../support/clock.ts'
import { Refusal } from '../../support/refusal.ts'
import type { AccessToken, AccessTokens } from '../access-tokens.ts'
import { type ApiCall, type RequestLayer, readHeader } from '../api-call.ts'

/** Bearer credentials (RFC 6750 2.1): the scheme, spaces, the token. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** Creates the third security layer (5.3): requires an unexpired access token of the certificate's organization. */
export const requireToken =
  ({ tokens, clock }: { tokens: AccessTokens; clock: Clock }): RequestLayer =>
  async call => {
    const { organizationId } = call.organization
    const header = readHeader(call, 'authorization')
    if (header === undefined)
      throw new Refusal('TOKEN_REFUSED', 'token', 'There is no access token: send Authorization: Bearer TOKEN.')
    const bearer = BEARER.exec(header)?.[1]
    if (bearer === undefined)
      throw new Refusal('TOKEN_REFUSED', 'token', 'Authorization is not of the form Bearer TOKEN.')
    const token = await tokens.verify(bearer)
    if (token.organizationId !== organizationId)
      throw new Refusal(
        'FORBIDDEN',
        'token',
        'The access token was issued to another organization than the certificate.',
      )
    const fault = faultOf(token, call.organization, clock)
    if (fault) throw new Refusal('TOKEN_EXPIRED', 'token', `The access token ${fault}: POST /auth/token for a new one.`)
    call.token = token
  }

/** How far ahead of the clock a token may have been issued, in real milliseconds: the clocks of replicas differ. */
const LEEWAY = 60_000

/** Says why a token is not valid any more, or not yet (7.3). */
const faultOf = (token: AccessToken, { organizationId, tokens }: Organization, clock: Clock): string | undefined => {
  const now = clock.now(organizationId)
  if (token.expiresAt <= now) return 'has expired'
  if (isTokenRevoked(parseTokenRecord(tokens), token)) return 'was revoked'
  const leeway = LEEWAY * Math.max(1, clock.setting(organizationId).rate)
  return token.issuedAt > now + leeway ? 'was issued later than it is on the clock' : undefined
}

/** Refuses a call whose token lacks the scope (403/4971). */
export const requireScope = ({ token }: ApiCall, scope: Scope): void => {
  if (token?.scopes.includes(scope)) return
  const diagnosis = { wanted: scope, granted: token?.scopes.join(' ') ?? '' }
  throw new Refusal(
    'FORBIDDEN',
    'token',
    `The access token lacks the scope ${scope}: ask for it at POST /auth/token.`,
    { diagnosis },
  )
}
