import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import type { Config } from '../options.ts'
import { sayNo } from './say-no.ts'

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * Keeps other sites' pages in the same browser away from pages and control: a Host that no operator chose may be a
 * rebound name, and a form may be posted only from where it was served.
 */
export const guardOrigin = ({
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
    if (!isOurs(name) && !names.has(name))
      return sayNo(c, `The host name ${JSON.stringify(name)} is not one of this sandbox: add it with --tls-names.`, 403)
    if (!c.env.incoming.url?.startsWith('/')) return sayNo(c, 'Send a path with its query as the request target.', 400)
    const origin = c.req.header('origin')
    const elsewhere = origin !== undefined && URL.parse(origin)?.host !== address?.host
    if (elsewhere && !SAFE.includes(c.req.method)) return sayNo(c, 'This was sent from the page of another site.', 403)
    return next()
  }
}

/** Addresses, localhost and names without a dot (containers) cannot be rebound from outside. */
const isOurs = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
  (name !== '' && !name.includes('.'))
