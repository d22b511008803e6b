import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { createOwnNameCheck } from '../installation/own-host-names.ts'
import type { Config } from '../options/options.ts'
import { errorResponse } from './security-headers-and-error-response.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

const CROSS_SITE =
  'This was sent from the page of another site, or a proxy changed Host: set --pages-url to the address in the browser, in a container ASSAY_PAGES_URL, or let the proxy hand Host on with its port.'

/**
 * Creates the middleware of pages and control against DNS rebinding and cross-site requests: it refuses an unknown
 * Host, and on a request that changes something an Origin that is neither the Host's nor that of `pages-url`, with 403.
 */
export const checkHostAndOrigin = (
  config: Pick<Config, 'pagesUrl' | 'apiUrl' | 'tlsNames'>,
): MiddlewareHandler<{
  Bindings: { incoming: IncomingMessage }
}> => {
  const isOwnName = createOwnNameCheck(config)
  const pagesOrigin = config.pagesUrl === undefined ? undefined : new URL(config.pagesUrl).origin
  return async (c, next) => {
    const address = URL.parse(`http://${c.req.header('host') ?? ''}`)
    const name = address?.hostname ?? ''
    if (!isOwnName(name))
      return errorResponse(
        c,
        `The host name ${JSON.stringify(name)} is not one of this sandbox: add it with --tls-names, in a container with ASSAY_TLS_NAMES.`,
        403,
      )
    if (!c.env.incoming.url?.startsWith('/'))
      return errorResponse(c, 'Send a path with its query as the request target.', 400)
    const origin = c.req.header('origin')
    const isSameSite = origin === undefined || origin === pagesOrigin || URL.parse(origin)?.host === address?.host
    if (!isSameSite && !SAFE_METHODS.includes(c.req.method)) return errorResponse(c, CROSS_SITE, 403)
    return next()
  }
}
