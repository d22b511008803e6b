/** Time before its expiry at which a token is renewed at most, in milliseconds (5.3 recommends about five minutes). */
const RENEW_AHEAD_MS = 5 * 60 * 1000

/** How long an old token is used on, in milliseconds, before its renewal is tried again. */
const ANOTHER_TRY_MS = 60 * 1000

/** An access token; `expiresInSeconds` is NaN where the service does not say. */
export type AccessToken = { value: string; expiresInSeconds: number }

/** How long a token is used, in milliseconds: half of a short life, and until it is rejected where that is unknown. */
const usedFor = ({ expiresInSeconds }: AccessToken): number => {
  const life = expiresInSeconds * 1000
  return Number.isNaN(life) ? Number.POSITIVE_INFINITY : Math.max(life - RENEW_AHEAD_MS, life / 2)
}

/** A token that is held, with the times of its renewal and of its end; where its life is unknown it has neither. */
type HeldToken = { value: string; renewAt: number; endsAt: number }

/**
 * Creates a cache of access tokens, one per scope; concurrent callers share one fetch. Where a renewal fails the old token
 * is used until it expires.
 */
export const createTokenCache = (fetch: (scope: string) => Promise<AccessToken>, now: () => number) => {
  const tokens = new Map<string, Promise<HeldToken>>()
  const fetchHeld = async (scope: string): Promise<HeldToken> => {
    const askedAt = now()
    const token = await fetch(scope)
    const life = token.expiresInSeconds * 1000
    const endsAt = Number.isNaN(life) ? Number.POSITIVE_INFINITY : askedAt + life
    return { value: token.value, renewAt: askedAt + usedFor(token), endsAt }
  }
  const renew = (scope: string, old?: HeldToken): Promise<HeldToken> => {
    const held = fetchHeld(scope).catch(error => {
      if (old === undefined || now() >= old.endsAt) throw error
      return { ...old, renewAt: Math.min(old.endsAt, now() + ANOTHER_TRY_MS) }
    })
    tokens.set(scope, held)
    held.catch(() => tokens.delete(scope))
    return held
  }
  const tokenFor = async (scope: string): Promise<string> => {
    const known = tokens.get(scope) ?? renew(scope)
    const held = await known
    if (now() < held.renewAt) return held.value
    const newest = tokens.get(scope)
    return (await (newest === known ? renew(scope, held) : (newest ?? renew(scope)))).value
  }
  return {
    tokenFor,
    /** Removes a token that the service rejects from the cache; a newer one stays. */
    forget: async (scope: string, value: string) => {
      const known = tokens.get(scope)
      if (known && (await known.catch(() => undefined))?.value === value) tokens.delete(scope)
    },
  }
}
