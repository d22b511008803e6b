/** A `traceparent` header of version 00 (W3C Trace Context): trace id and parent id, neither all zeros, and flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** Returns a caller's `traceparent` header if it is valid (W3C Trace Context); anything else is as good as none. */
export const validTraceparent = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined

/** Returns the ids of a caller's `traceparent` header, for logs and timelines; none where it is not valid. */
export const traceOf = (header: string | undefined): { traceId?: string; spanId?: string } => {
  const [, traceId, spanId] = TRACEPARENT.exec(header ?? '') ?? []
  return traceId === undefined || spanId === undefined ? {} : { traceId, spanId }
}
