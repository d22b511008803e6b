import type { Context } from 'hono'
import { secureAt } from './secure-cookies.ts'

const NAME = 'assay-demo'

/**
 * Whether a browser is in demo mode, by its cookie: it shows the shopper's pages to an audience, without hints for
 * testers and their buttons.
 */
export const isDemoMode = (c: Context): boolean =>
  (c.req.header('cookie') ?? '').split(/; */).some(pair => pair === `${NAME}=on`)

/** Returns the Set-Cookie value that begins or ends the demo mode of a browser. */
export const demoModeCookie = (isOn: boolean, pagesUrl: string | undefined): string =>
  `${NAME}=${isOn ? 'on' : ''}; Path=/; HttpOnly; SameSite=Strict${secureAt(pagesUrl)}${isOn ? '' : '; Max-Age=0'}`
