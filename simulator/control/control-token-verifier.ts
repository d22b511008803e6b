import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type ControlTokenHolder, toCookieText } from '../organizations/control-token-registry.ts'
import { type ControlAccess, isPermitted } from './permitted-calls.ts'
import type { ControlRequest, ProxyUser } from './proxy-sign-in.ts'

/** A request with its method and path. */
type RequestWithTarget = ControlRequest & { req: { method: string; path: string } }

/** Finds the holder of a control token by its text, or by what a cookie shows in its place. */
type FindHolder = (text: string, hashOf: 'hash' | 'cookieHash') => Promise<ControlTokenHolder | undefined>

/** Verifier of control tokens in requests: a bearer token from programs, a cookie made of it from browsers. */
export type ControlTokenVerifier = {
  /** Whether a token is configured. */
  isWanted: boolean
  /** Whether a request carries the operator's token, another one, or none. */
  shownBy(c: ControlRequest): 'right' | 'wrong' | 'none'
  /** Who makes a request: the operator, the holder of an organization's token, or nobody, with a wrong token or with none. */
  accessOf(c: ControlRequest): Promise<ControlAccess | 'wrong' | 'none'>
  /** The name of the person who makes a request, where it came through a proxy at which people sign in. */
  userOf(c: ControlRequest): string | undefined
  /** The IP address from which a request comes; undefined where there is no connection. */
  addressOf(c: ControlRequest): string | undefined
  /** Whether a request may have the portal's page or do its form, where it may at all, and what else it may there. */
  permits(c: RequestWithTarget): Promise<Permit>
  /** The Set-Cookie value for a typed token; undefined where it is wrong. */
  signIn(typed: string): Promise<string | undefined>
  /** The Set-Cookie value that deletes the cookie. */
  signOut: string
}

type Permit = {
  is: 'permitted' | 'forbidden' | 'signed out'
  organizationId?: string
  may?: (method: string, path: string) => boolean
}

/** Whether browsers reach the portal over HTTPS, who has signed in at a trusted proxy, and from which address. */
type VerifierOptions = {
  isHttps?: boolean | undefined
  userOf?: (c: ControlRequest) => ProxyUser | undefined
  addressOf?: (c: ControlRequest) => string | undefined
}

const PURPOSE = 'assay portal'

/** Creates the verifier of control tokens; without the operator's token every request passes. */
export const createControlTokenVerifier = (
  token: string | undefined,
  findHolder: FindHolder,
  { isHttps = false, userOf = () => undefined, addressOf = () => undefined }: VerifierOptions = {},
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
  const inCookie = (c: ControlRequest): string | undefined =>
    (c.req.header('cookie') ?? '')
      .split(/; */)
      .find(pair => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  const shownBy = (c: ControlRequest): 'right' | 'wrong' | 'none' => {
    if (token === undefined) return 'right'
    const inHeader = bearerOf(c)
    if (inHeader !== undefined) return isRight(inHeader) ? 'right' : 'wrong'
    if (userOf(c)?.access === 'operator') return 'right'
    const cookieProof = inCookie(c)
    if (cookieProof === undefined) return 'none'
    return timingSafeEqual(digest(cookieProof), digest(proof)) ? 'right' : 'none'
  }
  const accessOf = async (c: ControlRequest): Promise<ControlAccess | 'wrong' | 'none'> => {
    const shown = shownBy(c)
    if (shown === 'right') return 'operator'
    const inHeader = bearerOf(c)
    const user = inHeader === undefined ? userOf(c)?.access : undefined
    if (user !== undefined && user !== 'none') return user
    const holder = inHeader === undefined ? findHolder(inCookie(c) ?? '', 'cookieHash') : findHolder(inHeader, 'hash')
    return (await holder) ?? shown
  }
  return {
    isWanted: token !== undefined,
    shownBy,
    accessOf,
    userOf: c => (bearerOf(c) === undefined ? userOf(c)?.name : undefined),
    addressOf,
    permits: async c => {
      const access = await accessOf(c)
      if (access === 'wrong' || access === 'none') return { is: 'signed out' }
      const may = (method: string, path: string) => isPermitted(access, method, path)
      const is = may(c.req.method, c.req.path) ? 'permitted' : 'forbidden'
      return access === 'operator' ? { is } : { is, organizationId: access.organizationId, may }
    },
    signIn: async typed => {
      if (isRight(typed)) return cookie(proof)
      return (await findHolder(typed, 'hash')) && cookie(toCookieText(typed))
    },
    signOut: cookie('', '; Max-Age=0'),
  }
}

/** The bearer token of a request. */
export const bearerOf = (c: ControlRequest): string | undefined =>
  /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]

/** Returns the SHA-256 of a text, so that values of any length are compared in constant time. */
export const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
