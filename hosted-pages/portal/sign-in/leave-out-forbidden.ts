import type { MiddlewareHandler } from 'hono'
import { paths } from '../../shopper-paths.ts'
import { portalPaths } from '../portal-paths.ts'
import type { SignInFeatures } from './sign-in-routes.ts'

const LINK = /<a ([^<>]*?)href="([^"]*)"/g
const FORM = /<form ([^<>]*?)method="post" action="([^"]*)"/g
const MAIN = '<main id="main" tabindex="-1">'
const READ_ONLY =
  '<p class="notice" data-testid="portal-read-only">Your control token is read-only: forms and buttons that change something are left out here.</p>'

/**
 * Creates the middleware by which a page offers the holder of an organization's token nothing that the token does not
 * permit: such a link is mere text, and the stylesheet hides forms, buttons and downloads that are marked.
 */
export const leaveOutForbidden =
  ({ permits }: Pick<SignInFeatures['access'], 'permits'>): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const { organizationId, may } = await permits(c)
    if (organizationId === undefined || !may || !c.res.headers.get('content-type')?.startsWith('text/html')) return
    const isPermitted = (method: string, address: string): boolean => {
      const [path = ''] = address.split(/[?#]/, 1)
      if (/^\/shop(\/|$)/.test(path)) return may('GET', paths.kit(organizationId))
      return !/^\/(portal|control)\//.test(path) || path === portalPaths.signOut || may(method, path)
    }
    const page = (await c.res.text())
      .replace(LINK, (link, attributes, href) => (isPermitted('GET', href) ? link : `<a ${attributes}data-forbidden`))
      .replace(FORM, (form, attributes, action) =>
        isPermitted('POST', action) ? form : `<form ${attributes}data-forbidden method="post" action="${action}"`,
      )
      .replace(MAIN, may('POST', portalPaths.clock(organizationId)) ? MAIN : `${MAIN}\n${READ_ONLY}`)
    c.res = new Response(page, c.res)
  }
