import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type ControlTokenHolder, toCookieText } from '../organizations/control-token-registry.ts'
import { type ControlAccess, isPermitted } from './permitted-calls.ts'

/** Access to the headers of a request. */
type WithHeaders = { req: { header(name: string): string | undefined } }
/** Access to the headers, method and path of a request. */
type WithTarget = { req: WithHeaders['req'] & { method: string; path: string } }

/** Finds the holder of a control token by its text, or by what a cookie shows in its place. */
type FindHolder = (text: string, hashOf: 'hash' | 'cookieHash') => Promise<ControlTokenHolder | undefined>

/** Verifier of control tokens in requests: a bearer token from programs, a cookie made of it from browsers. */
export type ControlTokenVerifier = {
  /** Whether a token is configured. */
  isWanted: boolean
  /** Whether a request carries the operator's token, another one, or none. */
  shownBy(c: WithHeaders): 'right' | 'wrong' | 'none'
  /** Who makes a request: the operator, the holder of an organization's token, or nobody, with a wrong token or with none. */
  accessOf(c: WithHeaders): Promise<ControlAccess | 'wrong' | 'none'>
  /** Whether a request may have the portal's page or do its form, and where it may at all. */
  permits(c: WithTarget): Promise<{ is: 'permitted' | 'forbidden' | 'signed out'; organizationId?: string }>
  /** The Set-Cookie value for a typed token; undefined where it is wrong. */
  signIn(typed: string): Promise<string | undefined>
  /** The Set-Cookie value that deletes the cookie. */
  signOut: string
}

const PURPOSE = 'assay portal'

/** Creates the verifier of control tokens; without the operator's token every request passes. */
export const createControlTokenVerifier = (
  token: string | undefined,
  findHolder: FindHolder,
  isHttps = false,
): ControlTokenVerifier => {
  const wanted = digest(token ?? '')
  const isRight = (shown: string) => timingSafeEqual(digest(shown), wanted)
  // The cookie holds a proof instead of the token: browsers send cookies to every port of a host.
  const proof = createHmac('sha256', token ?? '')
    .update(PURPOSE)
    .digest('base64url')
  const name = `assay-control-${createHash('sha256').update(proof).digest('hex').slice(0, 8)}`
  const cookie = (value: string, maxAge = '') =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}${maxAge}`
  const inCookie = (c: WithHeaders): string | undefined =>
    (c.req.header('cookie') ?? '')
      .split(/; */)
      .find(pair => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  const shownBy = (c: WithHeaders): 'right' | 'wrong' | 'none' => {
    if (token === undefined) return 'right'
    const inHeader = bearerOf(c)
    if (inHeader !== undefined) return isRight(inHeader) ? 'right' : 'wrong'
    const cookieProof = inCookie(c)
    if (cookieProof === undefined) return 'none'
    return timingSafeEqual(digest(cookieProof), digest(proof)) ? 'right' : 'none'
  }
  const accessOf = async (c: WithHeaders): Promise<ControlAccess | 'wrong' | 'none'> => {
    const shown = shownBy(c)
    if (shown === 'right') return 'operator'
    const inHeader = bearerOf(c)
    const holder = inHeader === undefined ? findHolder(inCookie(c) ?? '', 'cookieHash') : findHolder(inHeader, 'hash')
    return (await holder) ?? shown
  }
  return {
    isWanted: token !== undefined,
    shownBy,
    accessOf,
    permits: async c => {
      const access = await accessOf(c)
      if (access === 'wrong' || access === 'none') return { is: 'signed out' }
      const is = isPermitted(access, c.req.method, c.req.path) ? 'permitted' : 'forbidden'
      return access === 'operator' ? { is } : { is, organizationId: access.organizationId }
    },
    signIn: async typed => {
      if (isRight(typed)) return cookie(proof)
      return (await findHolder(typed, 'hash')) && cookie(toCookieText(typed))
    },
    signOut: cookie('', '; Max-Age=0'),
  }
}

const bearerOf = (c: WithHeaders): string | undefined =>
  /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]

/** Returns the SHA-256 of a text, so that values of any length are compared in constant time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
