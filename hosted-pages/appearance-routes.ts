import { Hono } from 'hono'
import { appearanceCookie, THEMES } from './appearance-cookies.ts'
import { readField } from './blik/read-decision.ts'
import { seeOther } from './page-response.ts'
import { paths } from './shopper-paths.ts'
import { LANGUAGES } from './texts/languages.ts'

/** Creates the route by which a person chooses theme and language; it leads back to the page that has the switch. */
export const appearanceRoutes = (pagesUrl: string | undefined): Hono =>
  new Hono().post(paths.appearance, async c => {
    const [theme, language] = [await readField(c, 'theme'), await readField(c, 'language')]
    for (const one of THEMES)
      if (one === theme) c.header('Set-Cookie', appearanceCookie('theme', one, pagesUrl), { append: true })
    for (const one of LANGUAGES)
      if (one === language) c.header('Set-Cookie', appearanceCookie('language', one, pagesUrl), { append: true })
    return seeOther(c, pathOf(c.req.header('referer')))
  })

/** Path and query of the page that sent a form, never one that a browser reads as another host. */
const pathOf = (referer = ''): string => {
  const { pathname = '/', search = '' } = URL.parse(referer) ?? {}
  return /^\/(?![/\\])/.test(pathname) ? pathname + search : '/'
}
