import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Access to the headers of a request. */
type WithHeaders = { req: { header(name: string): string | undefined } }

/** Verifier of the `--control-token` in requests: a bearer token from programs, a cookie made of it from browsers. */
export type ControlTokenVerifier = {
  /** Whether a token is configured. */
  isWanted: boolean
  /** Whether a request carries the right token, a wrong one, or none. */
  shownBy(c: WithHeaders): 'right' | 'wrong' | 'none'
  /** The Set-Cookie value for a typed token; undefined where it is wrong. */
  signIn(typed: string): string | undefined
  /** The Set-Cookie value that deletes the cookie. */
  signOut: string
}

const PURPOSE = 'assay portal'

/** Creates the verifier of the control token; without a configured token every request passes. */
export const createControlTokenVerifier = (token: string | undefined, isHttps = false): ControlTokenVerifier => {
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

  return {
    isWanted: token !== undefined,
    shownBy: c => {
      if (token === undefined) return 'right'
      const inHeader = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
      if (inHeader !== undefined) return isRight(inHeader) ? 'right' : 'wrong'
      const cookieProof = inCookie(c)
      if (cookieProof === undefined) return 'none'
      return timingSafeEqual(digest(cookieProof), digest(proof)) ? 'right' : 'none'
    },
    signIn: typed => (isRight(typed) ? cookie(proof) : undefined),
    signOut: cookie('', '; Max-Age=0'),
  }
}

/** Returns the SHA-256 of a text, so that values of any length are compared in constant time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
