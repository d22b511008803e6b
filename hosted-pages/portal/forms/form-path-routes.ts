import { Hono } from 'hono'
import { seeOther } from '../../page-response.ts'
import { portalPaths } from '../portal-paths.ts'

/** Paths below an organization that only forms are sent to, and that no other page is above. */
const OF_KEYS_AND_CERTIFICATES = [
  'keys',
  'keys/:id/deregister',
  'tokens/revoke',
  'kit',
  'certificates',
  'certificates/trusted',
  'control-tokens',
  'control-tokens/:id/revoke',
]

const OF_THE_PAGE_ABOVE = [
  'certificates/:id/revoke',
  'webhooks/:act{resend|again}',
  'webhooks/:id/:act{resend|again|test|enable|disable|change|rotate|replay|delete}',
  'deliveries/:id/resend',
  'inbox/clear',
  'conduct/:act{begin|between|end}',
  'capabilities/usual',
  'dialect/usual',
  'reports/finish-day',
]

/**
 * Creates the portal's routes by which a path that only forms are sent to leads to its page: a page that shows a refusal
 * stands at such a path, where a browser opens it anew and its script fetches it.
 */
export const formPathRoutes = (): Hono => {
  const [routes, root] = [new Hono(), `${portalPaths.organizations}/:organizationId`]
  for (const path of OF_KEYS_AND_CERTIFICATES)
    routes.get(`${root}/${path}`, c => seeOther(c, portalPaths.identities(c.req.param('organizationId') ?? '')))
  for (const path of OF_THE_PAGE_ABOVE)
    routes.get(`${root}/${path}`, c => seeOther(c, c.req.path.slice(0, c.req.path.lastIndexOf('/'))))
  return routes
}
