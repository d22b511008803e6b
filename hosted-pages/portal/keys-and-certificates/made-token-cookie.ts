import type { Context } from 'hono'
import { secureAt } from '../../secure-cookies.ts'
import { portalPaths } from '../portal-paths.ts'

type Made = { tokenId: string; token: string }

/** Seconds within which the page that shows a new control token must be opened. */
const LIFE = 60

/**
 * Returns the Set-Cookie value that takes the text of a new control token past the redirect to the page that shows it;
 * with an empty text, the one that deletes it. Among replicas another may show that page.
 */
export const madeTokenCookie = (organizationId: string, { tokenId, token }: Made, pagesUrl?: string): string =>
  `${nameOf(tokenId)}=${token}; Path=${portalPaths.identities(organizationId)}; Max-Age=${token === '' ? 0 : LIFE}; HttpOnly; SameSite=Strict${secureAt(pagesUrl)}`

/** Returns the new control token that the address of a page names and its cookie brings; undefined where none does. */
export const madeTokenIn = (c: Context): Made | undefined => {
  const tokenId = c.req.query('made')
  if (!tokenId) return undefined
  const pair = (c.req.header('cookie') ?? '').split(/; */).find(one => one.startsWith(`${nameOf(tokenId)}=`))
  return pair === undefined ? undefined : { tokenId, token: pair.slice(nameOf(tokenId).length + 1) }
}

const nameOf = (tokenId: string): string => `assay-made-${tokenId}`
