import type { Context } from 'hono'

const NAME = 'assay-demo'

/** Whether this browser shows the shopper's pages to an audience: without hints for testers and their buttons. */
export const isDemoMode = (c: Context): boolean =>
  (c.req.header('cookie') ?? '').split(/; */).some(pair => pair === `${NAME}=on`)

/** The Set-Cookie value that begins or ends the demo mode of a browser. */
export const demoModeCookie = (isOn: boolean): string =>
  `${NAME}=${isOn ? 'on' : ''}; Path=/; HttpOnly; SameSite=Strict${isOn ? '' : '; Max-Age=0'}`
