/** Time before its expiry at which a token is renewed at most, in milliseconds (5.3 recommends about five minutes). */
const RENEW_AHEAD_MS = 5 * 60 * 1000

/** An access token; `expiresInSeconds` is NaN where the service does not say. */
export type AccessToken = { value: string; expiresInSeconds: number }

/** How long a token is used, in milliseconds: half of a short life, and until it is rejected where that is unknown. */
const usedFor = ({ expiresInSeconds }: AccessToken): number => {
  const life = expiresInSeconds * 1000
  return Number.isNaN(life) ? Number.POSITIVE_INFINITY : Math.max(life - RENEW_AHEAD_MS, life / 2)
}

/** Creates a cache of access tokens, one per scope; concurrent callers share one fetch. */
export const createTokenCache = (fetch: (scope: string) => Promise<AccessToken>, now: () => number) => {
  const tokens = new Map<string, { token: Promise<AccessToken>; askedAt: number }>()
  const renew = (scope: string) => {
    const entry = { token: fetch(scope), askedAt: now() }
    tokens.set(scope, entry)
    entry.token.catch(() => tokens.delete(scope))
    return entry
  }
  const tokenFor = async (scope: string): Promise<string> => {
    const known = tokens.get(scope) ?? renew(scope)
    const token = await known.token
    if (now() < known.askedAt + usedFor(token)) return token.value
    const newest = tokens.get(scope)
    return (await (newest === undefined || newest === known ? renew(scope) : newest).token).value
  }
  return {
    tokenFor,
    /** Removes a token that the service rejects from the cache; a newer one stays. */
    forget: async (scope: string, value: string) => {
      const known = tokens.get(scope)
      if (known && (await known.token.catch(() => undefined))?.value === value) tokens.delete(scope)
    },
  }
}
