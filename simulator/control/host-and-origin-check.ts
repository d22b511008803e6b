import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { createOwnNameCheck } from '../installation/own-host-names.ts'
import type { Config } from '../options/options.ts'
import { errorResponse } from './security-headers-and-error-response.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Creates the middleware of pages and control against DNS rebinding and cross-site requests: it refuses an unknown
 * Host, and another site's Origin on a request that changes something, with 403.
 */
export const checkHostAndOrigin = (
  config: Pick<Config, 'pagesUrl' | 'apiUrl' | 'tlsNames'>,
): MiddlewareHandler<{
  Bindings: { incoming: IncomingMessage }
}> => {
  const isOwnName = createOwnNameCheck(config)
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
    const isCrossSite = origin !== undefined && URL.parse(origin)?.host !== address?.host
    if (isCrossSite && !SAFE_METHODS.includes(c.req.method))
      return errorResponse(c, 'This was sent from the page of another site.', 403)
    return next()
  }
}
