import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The headers of a call. */
type Shown = { req: { header(name: string): string | undefined } }

/** The token of `--control-token`, as programs show it in a header and browsers in a cookie. */
export type ControlToken = {
  /** Whether one is wanted at all. */
  isWanted: boolean
  /** What this call shows: the right one, another, none. */
  shownBy(c: Shown): 'right' | 'wrong' | 'none'
  /** The cookie for whoever typed the token in; undefined where it is another. */
  signIn(typed: string): string | undefined
  /** The cookie that takes the other one back. */
  signOut: string
}

const PURPOSE = 'assay portal'

/** Without a token configured, every call is let pass. */
export const createControlToken = (token: string | undefined, isHttps = false): ControlToken => {
  const wanted = digest(token ?? '')
  const isRight = (shown: string) => timingSafeEqual(digest(shown), wanted)
  // The cookie holds no token, only what proves to us that one was typed in: cookies reach every port of a host.
  const proof = createHmac('sha256', token ?? '')
    .update(PURPOSE)
    .digest('base64url')
  const name = `assay-control-${createHash('sha256').update(proof).digest('hex').slice(0, 8)}`
  const cookie = (value: string, life = '') =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}${life}`
  const inCookie = (c: Shown): string | undefined =>
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
      const kept = inCookie(c)
      if (kept === undefined) return 'none'
      return timingSafeEqual(digest(kept), digest(proof)) ? 'right' : 'none'
    },
    signIn: typed => (isRight(typed) ? cookie(proof) : undefined),
    signOut: cookie('', '; Max-Age=0'),
  }
}

/** Of one length whatever is shown, so that a comparison takes the same time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
