import type { IncomingMessage } from 'node:http'

/**
 * Rewrites a request target in absolute form to path and query, with its host in place of the Host header (RFC 9112,
 * 3.2.2); one with credentials or without a host stays, and is refused.
 */
export const toOriginForm = (incoming: IncomingMessage): void => {
  const [, host, target] = /^https?:\/\/([^/?#@\\]+)((?:[/?#].*)?)$/is.exec(incoming.url ?? '') ?? []
  if (host === undefined || target === undefined) return
  incoming.url = target.startsWith('/') ? target : `/${target}`
  incoming.headers.host = host
}
