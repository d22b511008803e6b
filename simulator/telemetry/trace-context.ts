/** A `traceparent` header of version 00 (W3C Trace Context): trace id and parent id, neither all zeros, and flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** Returns the ids of a caller's `traceparent` header, for logs; nothing where there is no valid one. */
export const traceOf = (traceparent: string | undefined): { traceId?: string; spanId?: string } => {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? []
  return traceId === undefined || spanId === undefined ? {} : { traceId, spanId }
}
