import type { Context } from 'hono'
import { secureAt } from '../secure-cookies.ts'
import { paths } from '../shopper-paths.ts'

/** Phones that a browser remembers in one organization. */
const MOST = 4

/**
 * Returns the ids of the phones of an organization that a browser has opened, by its cookie, the last first. An id is a
 * secret that gives access to its phone: the cookie tells it to the browser that had it, and to no script.
 */
export const phonesIn = (c: Context): string[] => {
  const [, ids = ''] = /(?:^|; *)assay-phone=([^;]*)/.exec(c.req.header('cookie') ?? '') ?? []
  return ids
    .split('.')
    .filter(id => /^[\w-]{1,64}$/.test(id))
    .slice(0, MOST)
}

/**
 * Returns the Set-Cookie value by which a browser finds a phone again, for a year and for its organization alone; a link
 * from another site sends it too, since what is not sent would be overwritten.
 */
export const phoneCookie = (
  c: Context,
  { organizationId, phoneId }: { organizationId: string; phoneId: string },
  pagesUrl: string | undefined,
): string => {
  const ids = [phoneId, ...phonesIn(c).filter(id => id !== phoneId)].slice(0, MOST)
  return `assay-phone=${ids.join('.')}; Path=${paths.blik(organizationId)}; Max-Age=31536000; HttpOnly; SameSite=Lax${secureAt(pagesUrl)}`
}
