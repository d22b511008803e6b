import { type Context, Hono } from 'hono'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { readFormValues } from '../forms/form-values.ts'
import { portalPaths } from '../portal-paths.ts'
import { signInPage } from './sign-in-page.ts'

/** What the sign-in routes need: a test of the control token that a request carries, and the cookies of sign-in and sign-out. */
export type SignInFeatures = {
  access: {
    /** Whether the request shows the right token, another, or none; `right` where none is wanted. */
    shownBy: (c: Context) => 'right' | 'wrong' | 'none'
    /** The cookie for whoever typed the right token; undefined for any other. */
    signIn: (typed: string) => string | undefined
    /** The cookie that deletes the other one. */
    signOut: string
  }
}

/** Creates the routes to sign in and out with the control token, which a browser keeps as an HttpOnly cookie. */
export const signInRoutes = ({ access }: SignInFeatures): Hono =>
  new Hono()
    .get(portalPaths.signIn, c =>
      access.shownBy(c) === 'right'
        ? seeOther(c, portalPath(c.req.query('to')))
        : respondWithPage(c, signInPage(portalPath(c.req.query('to'))), 'here', 401),
    )
    .post(portalPaths.signIn, async c => {
      const { token = '', to } = await readFormValues(c)
      const cookie = access.signIn(token)
      if (cookie === undefined) return respondWithPage(c, signInPage(portalPath(to), true), 'here', 401)
      c.header('Set-Cookie', cookie)
      return seeOther(c, portalPath(to))
    })
    .post(portalPaths.signOut, c => {
      c.header('Set-Cookie', access.signOut)
      return seeOther(c, portalPaths.root)
    })
    .use(`${portalPaths.root}/*`, async (c, next) =>
      access.shownBy(c) === 'right' ? next() : seeOther(c, signInPath(c)),
    )

/** Returns the path of the sign-in page, with the requested page to show afterwards, unless a form was submitted. */
const signInPath = (c: Context): string => {
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET'
    ? `${portalPaths.signIn}?to=${encodeURIComponent(pathname + search)}`
    : portalPaths.signIn
}

/** Returns a path if it is of the portal or of control, else the first page, so that no redirect is open. */
const portalPath = (to = ''): string =>
  /^\/(portal|control)(?=[/?]|$)/.test(to) && URL.parse(to, 'http://here')?.href === `http://here${to}`
    ? to
    : portalPaths.organizations
