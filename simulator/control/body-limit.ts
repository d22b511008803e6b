import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { CollectedRequest } from '../http/collect-body.ts'
import type { ControlTokenVerifier } from './control-token-verifier.ts'
import { errorResponse } from './security-headers-and-error-response.ts'

const MAX_BYTES = 65_536
/** Largest imported snapshot, in bytes. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024
const SNAPSHOT = /^\/control\/organizations\/[^/?]+\/snapshots\/[^/?]+$/

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>

/**
 * Creates the function that gives the body limit of requests to pages and control, in bytes; larger for snapshots with
 * the control token.
 */
export const createBodyLimit =
  (token: Pick<ControlTokenVerifier, 'shownBy'>) =>
  (incoming: RequestHead): number => {
    const { method, url = '', headers } = incoming
    const isSnapshot = method === 'PUT' && SNAPSHOT.test(url)
    const isAuthorized = () =>
      token.shownBy({ req: { header: name => headers[name]?.toString() }, env: { incoming } }) === 'right'
    return isSnapshot && isAuthorized() ? MAX_SNAPSHOT_BYTES : MAX_BYTES
  }

/**
 * Creates the middleware of pages and control that refuses a request whose body was larger than the limit, with 413.
 */
export const refuseLargeBody = (
  token: Pick<ControlTokenVerifier, 'shownBy'>,
): MiddlewareHandler<{ Bindings: { incoming: CollectedRequest } }> => {
  const limitOf = createBodyLimit(token)
  return async (c, next) => {
    const { incoming } = c.env
    if (!incoming.bodyTooLarge) return next()
    return errorResponse(c, `The body is larger than ${limitOf(incoming)} bytes.`, 413)
  }
}
