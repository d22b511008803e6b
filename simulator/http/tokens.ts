import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import * as errors from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import { Refusal } from '../refusal.ts'

/** Scopes of clause 5.3; the one that is granted unasked stands first. */
export const SCOPES = ['payments:read', 'payments:process', 'data:reports'] as const
export type Scope = (typeof SCOPES)[number]

/** An access token that verified; times are epoch milliseconds on the organization's clock. */
export type AccessToken = { organizationId: string; scopes: readonly Scope[]; expiresAt: number }

const ALGORITHM = 'ES256'
const ISSUER = 'assay'
const CACHE_SIZE = 10_000

export type Tokens = {
  issue(organizationId: string, scopes: readonly Scope[]): Promise<{ token: string; expiresInSeconds: number }>
  /** Reads a bearer token, or refuses with 401/4970; its expiry is the caller's to judge. */
  read(token: string): Promise<AccessToken>
}

type Parts = { clock: Clock; ids: Ids; key: { privateKey: KeyObject; publicKey: string } }

/** Access tokens are JWTs signed ES256 and bound to one organization (5.3, D-58). */
export const createTokens = ({ clock, ids, key }: Parts): Tokens => {
  const publicKey = createPublicKey(key.publicKey)
  const verified = new Map<string, AccessToken>()

  const verify = async (token: string): Promise<AccessToken> => {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: ISSUER,
      currentDate: new Date(0),
    })
    const scopes = String(payload.scope ?? '').split(' ')
    return {
      organizationId: payload.sub ?? '',
      scopes: SCOPES.filter(scope => scopes.includes(scope)),
      expiresAt: (payload.exp ?? 0) * 1000,
    }
  }

  return {
    issue: async (organizationId, scopes) => {
      const issuedAt = Math.floor(clock.now(organizationId) / 1000)
      const expiresInSeconds = LIFETIMES.accessToken / 1000
      const token = await new SignJWT({ scope: scopes.join(' '), client_id: organizationId })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt' })
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setSubject(organizationId)
        .setJti(ids.uuid())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresInSeconds)
        .sign(key.privateKey)
      return { token, expiresInSeconds }
    },
    read: async token => {
      const fingerprint = hash('sha256', token, 'base64url')
      const known = verified.get(fingerprint)
      if (known) return known
      try {
        const read = await verify(token)
        if (verified.size >= CACHE_SIZE) verified.clear()
        verified.set(fingerprint, read)
        return read
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error
        throw new Refusal(
          'TOKEN_REFUSED',
          'token',
          'The access token is not one of ours: POST /auth/token for a new one.',
          { diagnosis: { fault: error.code } },
        )
      }
    },
  }
}
