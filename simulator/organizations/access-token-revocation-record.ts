/**
 * An organization's record of its access tokens, to tell which it has revoked; times in epoch milliseconds on its
 * clock. Each token names the organization by `state`, and the epoch in which it was issued.
 */
export type TokenRecord = {
  /** Given when the organization is created, so that no token outlives it under the same name. */
  state: string
  /** Number of the oldest epoch that is told apart from those before. */
  first: number
  /** How each later epoch began: the clock was set back to this instant, which revoked every token issued after it. */
  setBack: readonly number[]
  /** Tokens that were revoked one by one, until they expire, and at most MAX_REVOKED. */
  revoked: readonly { id: string; until: number }[]
}

/**
 * Origin of a verified access token, as the token itself states it; times in epoch milliseconds on the organization's
 * clock.
 */
export type TokenOrigin = { id: string; state: string; epoch: number; issuedAt: number }

/** Number of epochs that are told apart; the oldest counts with the least instant of those before it. */
const MAX_EPOCHS = 100

/** Number of tokens that may be revoked one by one: each call reads the record. */
export const MAX_REVOKED = 500

/** The record of an organization that was created before there were any. */
const FIRST_RECORD: TokenRecord = { state: '', first: 0, setBack: [], revoked: [] }

/** Creates the token record of a new organization state, as the store keeps it. */
export const newTokenRecord = (state: string): string => JSON.stringify({ ...FIRST_RECORD, state })

/** Parses an organization's token record from the store. */
export const parseTokenRecord = (text: string | undefined): TokenRecord =>
  text === undefined ? FIRST_RECORD : (JSON.parse(text) as TokenRecord)

/** Returns the number of the present epoch in an organization's token record. */
export const epochOf = ({ first, setBack }: TokenRecord): number => first + setBack.length

/**
 * Returns a token record for a clock that was set back: with a new epoch, in which tokens issued after the instant to
 * which it was set back are revoked.
 */
export const withSetBack = (record: TokenRecord, to: number): TokenRecord => {
  const [oldest = to, second = to, ...others] = [...record.setBack, to]
  if (others.length < MAX_EPOCHS - 1) return { ...record, setBack: [...record.setBack, to] }
  return { ...record, first: record.first + 1, setBack: [Math.min(oldest, second), ...others] }
}

/** Returns a token record with a new epoch, in which every earlier token is revoked; those by itself need no place more. */
export const withAllRevoked = (record: TokenRecord): TokenRecord => ({
  ...withSetBack(record, Number.MIN_SAFE_INTEGER),
  revoked: [],
})

/**
 * Returns a token record in which one more token is revoked; without those that have expired only where there are too
 * many, as the clock may be set back to before their end.
 */
export const withRevoked = (record: TokenRecord, token: { id: string; until: number }, now: number): TokenRecord => {
  const revoked = [...record.revoked.filter(({ id }) => id !== token.id), token]
  return { ...record, revoked: revoked.length > MAX_REVOKED ? revoked.filter(({ until }) => until > now) : revoked }
}

/** Whether a token was revoked: by itself, with all others, by a clock that was set back, or with its organization. */
export const isTokenRevoked = (record: TokenRecord, { id, state, epoch, issuedAt }: TokenOrigin): boolean =>
  state !== record.state ||
  record.setBack.slice(Math.max(0, epoch - record.first)).some(instant => issuedAt > instant) ||
  record.revoked.some(revoked => revoked.id === id)
