import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import * as errors from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { SCOPES, type Scope } from '../../contracts/operations.ts'
import { type Installation, serviceKeyFor } from '../installation/installation-keys-and-certificates.ts'
import { epochOf, parseTokenRecord, type TokenOrigin } from '../organizations/access-token-revocation-record.ts'
import type { Organization } from '../store/organization-store.ts'
import type { Clock } from '../support/clock.ts'
import type { Ids } from '../support/ids.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import { Refusal } from '../support/refusal.ts'

/** A verified access token; times in epoch milliseconds on the organization's clock. */
export type AccessToken = TokenOrigin & { organizationId: string; scopes: readonly Scope[]; expiresAt: number }

const ALGORITHM = 'ES256'
const ISSUER = 'assay'
/** Number of verified tokens that are cached: verifying takes 100 µs, a third of a signed call's processor time. */
const CACHE_SIZE = 10_000

export type AccessTokens = {
  issue(
    organization: Pick<Organization, 'organizationId' | 'tokens'>,
    scopes: readonly Scope[],
  ): Promise<{ token: string; expiresInSeconds: number }>
  /** Verifies a bearer token, or refuses with 401/4970; the caller checks its times and whether it was revoked. */
  verify(token: string): Promise<AccessToken>
}

type Parts = { clock: Clock; ids: Ids; key: { privateKey: KeyObject; publicKey: string } }

/** Creates the issuer and verifier of access tokens: JWTs signed with ES256, bound to one organization (5.3, D-58). */
export const createAccessTokens = ({ clock, ids, key }: Parts): AccessTokens => {
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
      id: payload.jti ?? '',
      state: String(payload.state ?? ''),
      epoch: Number(payload.epoch ?? 0),
      issuedAt: (payload.iat ?? 0) * 1000,
      organizationId: payload.sub ?? '',
      scopes: SCOPES.filter(scope => scopes.includes(scope)),
      expiresAt: Math.round((payload.exp ?? 0) * 1000),
    }
  }

  return {
    issue: async ({ organizationId, tokens }, scopes) => {
      const record = parseTokenRecord(tokens)
      const now = clock.now(organizationId) / 1000
      const expiresInSeconds = LIFETIMES.accessToken / 1000
      const token = await new SignJWT({
        scope: scopes.join(' '),
        client_id: organizationId,
        state: record.state,
        epoch: epochOf(record),
      })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt' })
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setSubject(organizationId)
        .setJti(ids.uuid())
        .setIssuedAt(Math.floor(now))
        .setExpirationTime(now + expiresInSeconds)
        .sign(key.privateKey)
      return { token, expiresInSeconds }
    },
    verify: async token => {
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

/** Returns the key that signs access tokens: always ES256, whatever algorithm signs responses (D-58). */
export const tokenKeyOf = (installation: Installation) => {
  const { publicKey } = installation.serviceKeys.find(({ algorithm }) => algorithm.jwa === 'ES256') ?? {}
  if (publicKey === undefined) throw new Error('The installation has no P-256 key.')
  return { privateKey: serviceKeyFor(installation, 'ECDSA_SHA_256').privateKey, publicKey }
}
