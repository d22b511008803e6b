import { type Context, Hono } from 'hono'
import { answerPage, seeOther } from '../answer.ts'
import { sayFor } from '../say-for.ts'
import { portalPaths } from './paths.ts'
import type { PortalPort } from './port.ts'
import { readForm } from './read-form.ts'
import { signInPage } from './sign-in-page.ts'

/** The door of the portal: open, or with the control token, which a browser keeps as a cookie that no script can read. */
export const accessRoutes = ({ access }: Pick<PortalPort, 'access'>): Hono =>
  new Hono()
    .get(portalPaths.signIn, c =>
      access.shownBy(c) === 'right'
        ? seeOther(c, ours(c.req.query('to')))
        : answerPage(c, signInPage(sayFor(c), ours(c.req.query('to'))), 'here', 401),
    )
    .post(portalPaths.signIn, async c => {
      const { token = '', to } = await readForm(c)
      const cookie = access.signIn(token)
      if (cookie === undefined) return answerPage(c, signInPage(sayFor(c), ours(to), true), 'here', 401)
      c.header('Set-Cookie', cookie)
      return seeOther(c, ours(to))
    })
    .post(portalPaths.signOut, c => {
      c.header('Set-Cookie', access.signOut)
      return seeOther(c, portalPaths.root)
    })
    .use(`${portalPaths.root}/*`, async (c, next) => (access.shownBy(c) === 'right' ? next() : seeOther(c, doorOf(c))))

/** Sign in first; what was looked at comes next, what was posted has to be posted again. */
const doorOf = (c: Context): string => {
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET'
    ? `${portalPaths.signIn}?to=${encodeURIComponent(pathname + search)}`
    : portalPaths.signIn
}

/** Only a page of the portal or of control, written as browsers write it: an address from outside leads nowhere else. */
const ours = (to = ''): string =>
  /^\/(portal|control)(?=[/?]|$)/.test(to) && URL.parse(to, 'http://here')?.href === `http://here${to}`
    ? to
    : portalPaths.organizations
