import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import type { Config } from '../options/options.ts'
import { errorResponse } from './security-headers-and-error-response.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Middleware against DNS rebinding and cross-site requests to pages and control: refuses an unknown Host, and a request
 * with another site's Origin that changes something, with 403.
 */
export const checkHostAndOrigin = ({
  pagesUrl,
  apiUrl,
  tlsNames,
}: Pick<Config, 'pagesUrl' | 'apiUrl' | 'tlsNames'>): MiddlewareHandler<{
  Bindings: { incoming: IncomingMessage }
}> => {
  const configured = [pagesUrl, apiUrl].flatMap(url => (url === undefined ? [] : [new URL(url).hostname]))
  const names = new Set([...configured, ...tlsNames].map(name => name.toLowerCase()))
  return async (c, next) => {
    const address = URL.parse(`http://${c.req.header('host') ?? ''}`)
    const name = address?.hostname ?? ''
    if (!isLocalName(name) && !names.has(name))
      return errorResponse(
        c,
        `The host name ${JSON.stringify(name)} is not one of this sandbox: add it with --tls-names.`,
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

/** Whether a host name cannot be rebound from outside: IP addresses, localhost, names without a dot (containers). */
const isLocalName = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
  (name !== '' && !name.includes('.'))
