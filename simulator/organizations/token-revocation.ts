import type { Organization } from '../store/organization-store.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import {
  MAX_REVOKED,
  parseTokenRecord,
  type TokenRecord,
  withAllRevoked,
  withRevoked,
  withSetBack,
} from './access-token-revocation-record.ts'

type Parts = { store: Store; clock: Clock; onChange: (organizationId: string) => void }

/**
 * Creates the functions that revoke one or all access tokens of an organization (7.3: 4061); a revoked token stays so
 * until it expires.
 */
export const createTokenRevocation = ({ store, clock, onChange }: Parts) => {
  const change = async (organizationId: string, to: (record: TokenRecord) => TokenRecord): Promise<void> => {
    await store.changeTokens(organizationId, tokens => JSON.stringify(to(parseTokenRecord(tokens))))
    onChange(organizationId)
  }
  return {
    /** Revokes every token of an organization. */
    revokeAll: (organizationId: string): Promise<void> => change(organizationId, withAllRevoked),
    /** Revokes one token, given whole; refuses text that is no token of this organization. */
    revoke: async ({ organizationId }: Organization, token: string): Promise<void> => {
      const claims = claimsOf(token)
      if (claims?.sub !== organizationId || !isId(claims.jti) || typeof claims.exp !== 'number')
        throw new ControlError(
          'invalid',
          `token is no access token of ${organizationId}: give access_token as it was issued.`,
        )
      const revoked = { id: claims.jti, until: claims.exp * 1000 }
      await change(organizationId, record => ensureRoom(withRevoked(record, revoked, clock.now(organizationId))))
    },
    /** Revokes the tokens issued after an instant to which the clock was set back. */
    setBack: (organizationId: string, to: number): Promise<void> =>
      change(organizationId, record => withSetBack(record, to)),
  }
}

const ensureRoom = (record: TokenRecord): TokenRecord => {
  if (record.revoked.length <= MAX_REVOKED) return record
  throw new ControlError(
    'conflict',
    `There are ${MAX_REVOKED} revoked tokens that have not expired: revoke all, by a call without token.`,
  )
}

/** Whether a claim may be the id of a token, which is a UUID. */
const isId = (claim: unknown): claim is string => typeof claim === 'string' && claim.length <= 64

/** The claims of a JWT without looking at its signature: to revoke a forged one harms nobody, as the list has an end. */
const claimsOf = (token: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    return undefined
  }
}
