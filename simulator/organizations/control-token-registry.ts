import { createHash, timingSafeEqual } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { Ids } from '../support/ids.ts'

/** Roles that a control token can give: to read, to change what is tested as well, to manage tokens as well. */
export const CONTROL_ROLES = ['read', 'act', 'admin'] as const
export type ControlRole = (typeof CONTROL_ROLES)[number]

/** A control token as the store has it: no text from which somebody could sign in. */
type StoredToken = {
  tokenId: string
  name: string
  role: ControlRole
  /** SHA-256 of the token, in base64url. */
  hash: string
  /** SHA-256 of what a browser's cookie shows in place of the token. */
  cookieHash: string
  /** Epoch milliseconds of real time. */
  createdAt: number
}

/** The organization and role for which a control token was made. */
export type ControlTokenHolder = { organizationId: string; role: ControlRole; tokenId: string; name: string }

type Parts = { store: Store; clock: Clock; ids: Ids }

const MOST_TOKENS = 50
const FORM = /^assay\.([a-z0-9-]+)\.([\w-]+)\.[\w-]+$/

/** Creates the registry of control tokens: each gives one role in one organization, to its portal pages and control calls. */
export const createControlTokenRegistry = ({ store, clock, ids }: Parts) => {
  const list = async (organizationId: string): Promise<readonly StoredToken[]> =>
    parseTokens((await store.organization(organizationId))?.controlTokens)
  /** The holder of a token's text, or of what a cookie shows in its place; undefined for any other text. */
  const find = async (text: string, hashOf: 'hash' | 'cookieHash'): Promise<ControlTokenHolder | undefined> => {
    const [, organizationId, tokenId] = FORM.exec(text) ?? []
    if (organizationId === undefined) return undefined
    const found = (await list(organizationId)).find(token => token.tokenId === tokenId)
    return found && isEqual(found[hashOf], hash(text))
      ? { organizationId, role: found.role, tokenId: found.tokenId, name: found.name }
      : undefined
  }
  return {
    find,
    list: async (organizationId: string) => (await list(organizationId)).map(view),
    /** Makes a token; its text is returned here and never again. */
    create: async (organizationId: string, name: string, role: string) => {
      const created = newToken(organizationId, { name, role: readRole(role), secret: () => ids.secret() })
      const stored = { ...created.stored, createdAt: clock.real() }
      await store.changeControlTokens(organizationId, text => {
        const tokens = parseTokens(text)
        if (tokens.length >= MOST_TOKENS)
          throw new ControlError('conflict', `There are ${MOST_TOKENS} control tokens: revoke one that is not used.`)
        return JSON.stringify([...tokens, stored])
      })
      return { ...view(stored), token: created.token }
    },
    /** Revokes a token: its next call is refused. */
    revoke: async (organizationId: string, tokenId: string) => {
      let revoked: StoredToken | undefined
      await store.changeControlTokens(organizationId, text => {
        const tokens = parseTokens(text)
        revoked = tokens.find(token => token.tokenId === tokenId)
        return JSON.stringify(tokens.filter(token => token !== revoked))
      })
      if (revoked) return view(revoked)
      throw new ControlError('unknown', `There is no control token ${tokenId}: GET …/control-tokens lists them.`)
    },
  }
}

/**
 * Returns the text by which a browser's cookie stands for a control token: browsers send cookies to every port of a
 * host.
 */
export const toCookieText = (token: string): string => {
  const [, organizationId, tokenId] = FORM.exec(token) ?? []
  return `assay.${organizationId}.${tokenId}.${hash(`${token}\nassay portal`)}`
}

const NAMES_OF_NO_TOKEN = /^(operator|nobody)$/i

const newToken = (organizationId: string, wanted: { name: string; role: ControlRole; secret: () => string }) => {
  const tokenId = wanted.secret().slice(0, 12)
  const token = `assay.${organizationId}.${tokenId}.${wanted.secret()}${wanted.secret()}`
  const name = wanted.name.trim().slice(0, 80)
  if (name === '') throw new ControlError('invalid', 'name is missing: say who or what the token is for.')
  if (NAMES_OF_NO_TOKEN.test(name))
    throw new ControlError(
      'invalid',
      `${name} is what the log calls who has no token of an organization: choose another name.`,
    )
  const hashes = { hash: hash(token), cookieHash: hash(toCookieText(token)) }
  return { token, stored: { tokenId, name, role: wanted.role, ...hashes } }
}

const readRole = (text: string): ControlRole => {
  const role = CONTROL_ROLES.find(one => one === text)
  if (role) return role
  throw new ControlError(
    'invalid',
    `role is ${JSON.stringify(text.slice(0, 40))}: give one of ${CONTROL_ROLES.join(', ')}.`,
  )
}

const view = ({ tokenId, name, role, createdAt }: StoredToken) => ({
  tokenId,
  name,
  role,
  createdAt: isoTime(createdAt),
})

const parseTokens = (text: string | undefined): readonly StoredToken[] =>
  text === undefined ? [] : (JSON.parse(text) as StoredToken[])

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

const isEqual = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))
