import { type Context, Hono } from 'hono'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { readFormValues } from '../forms/form-values.ts'
import { portalPaths } from '../portal-paths.ts'
import { forbiddenPage, signInPage } from './sign-in-page.ts'

/**
 * Features of the simulator that the portal's sign-in needs: a test of the control token that a request carries, and
 * the cookies.
 */
export type SignInFeatures = {
  access: {
    /** Whether the request shows the operator's token, another, or none; `right` where none is wanted. */
    shownBy: (c: Context) => 'right' | 'wrong' | 'none'
    /** Whether the request may have its page or do its form; `organizationId` where it may only in one organization. */
    permits: (c: RequestTarget) => Promise<PortalPermit>
    /** The cookie for whoever typed a right token; undefined for any other. */
    signIn: (typed: string) => Promise<string | undefined>
    /** The cookie that deletes the other one. */
    signOut: string
  }
}

/** The part of a request to the portal by which it is judged what the request may do, and who sends it. */
export type RequestTarget = {
  req: { header(name: string): string | undefined; method: string; path: string }
  env?: unknown
}

/**
 * Permit of a request to the portal: all, what a role permits in one organization, nothing there, or nothing unless it
 * signs in.
 */
export type PortalPermit = {
  is: 'permitted' | 'forbidden' | 'signed out'
  /** The organization for which its token was made. */
  organizationId?: string
  /** Whether that token permits a call of control or portal. */
  may?: (method: string, path: string) => boolean
}

/**
 * Creates the portal's routes to sign in and out with the control token, which a browser keeps as an HttpOnly cookie.
 */
export const signInRoutes = ({ access }: SignInFeatures): Hono =>
  new Hono()
    .get(portalPaths.signIn, async c =>
      (await access.permits(c)).is !== 'signed out'
        ? seeOther(c, portalPath(c.req.query('to')))
        : respondWithPage(c, signInPage(portalPath(c.req.query('to'))), 'here', 401),
    )
    .post(portalPaths.signIn, async c => {
      const { token = '', to } = await readFormValues(c)
      const cookie = await access.signIn(token)
      if (cookie === undefined) return respondWithPage(c, signInPage(portalPath(to), true), 'here', 401)
      c.header('Set-Cookie', cookie)
      return seeOther(c, portalPath(to))
    })
    .post(portalPaths.signOut, c => {
      c.header('Set-Cookie', access.signOut)
      return seeOther(c, portalPaths.root)
    })
    .use(`${portalPaths.root}/*`, async (c, next) => {
      const { is, organizationId } = await access.permits(c)
      if (is === 'signed out') return seeOther(c, signInPath(c))
      if (is === 'forbidden') return respondWithPage(c, forbiddenPage(organizationId ?? ''), 'here', 403)
      const isList = organizationId !== undefined && c.req.path === portalPaths.organizations
      return isList ? seeOther(c, portalPaths.overview(organizationId)) : next()
    })

/** Returns the path of the portal's sign-in page, which leads to a path afterwards. */
export const signInPathTo = (to: string): string => `${portalPaths.signIn}?to=${encodeURIComponent(to)}`

/** Returns the path of the sign-in page, with the requested page to show afterwards, unless a form was submitted. */
export const signInPath = (c: Context): string => {
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET' ? signInPathTo(pathname + search) : portalPaths.signIn
}

/** Returns a path if it is of the portal, the shop, the choice of a phone or of control, else the first page, so that no redirect is open. */
const portalPath = (to = ''): string =>
  /^\/(portal|control|shop|blik)(?=[/?]|$)/.test(to) && URL.parse(to, 'http://here')?.href === `http://here${to}`
    ? to
    : portalPaths.organizations
