import { SIGNATURE_LABEL } from './signature-input.ts'

/** Covered components of signatures, in order: of requests (5.2), responses (5.4, D-27) and webhooks (6, D-100). */
export const COVERED_COMPONENTS = {
  requestWithBody: ['@authority', '@method', '@request-target', 'content-digest', 'content-type', 'content-length'],
  requestWithoutBody: ['@authority', '@method', '@request-target'],
  responseWithBody: ['content-digest', 'content-type', 'content-length', '@status'],
  responseWithoutBody: ['@status'],
  webhook: ['@method', '@request-target', 'content-digest', 'content-type', 'content-length'],
} as const

/**
 * Readings of the last line of the signature base: `rfc` as in RFC 9421, `literal` with the label, as the document
 * prints it.
 */
export const BASE_READINGS = ['rfc', 'literal'] as const
export type BaseReading = (typeof BASE_READINGS)[number]

/**
 * Choice whether `@authority` holds the port: the document drops it, RFC 9421 keeps one that is not the default (C7).
 */
export type AuthorityPort = 'dropped' | 'kept'

/** Values of a request that its signature can cover; `contentDigest` and `contentType` only with a body. */
export type RequestParts = {
  method: string
  /** Path and query exactly as sent, never normalised. */
  target: string
  /** The `Host` header; it is lower-cased, and its port dropped unless `port` is `kept`. */
  host: string
  port?: AuthorityPort | undefined
  contentDigest?: string | undefined
  contentType?: string | undefined
  contentLength?: number | undefined
}

/** Values of a response that its signature can cover. */
export type ResponseParts = { status: number; contentDigest?: string; contentType?: string; contentLength?: number }

/** Returns the `@authority` of a Host header: lower case, without port unless kept; IPv6 brackets stay. */
export const authorityOf = (host: string, port: AuthorityPort = 'dropped'): string =>
  port === 'kept' ? host.trim().toLowerCase() : host.trim().toLowerCase().replace(/:\d*$/, '')

/** Returns the media type of a Content-Type in lower case, without parameters such as charset. */
export const mediaTypeOf = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()

/** Returns the value of a component that a request signature covers; undefined where the request lacks it. */
export const requestComponent = (parts: RequestParts, name: string): string | undefined => {
  switch (name) {
    case '@authority':
      return authorityOf(parts.host, parts.port)
    case '@method':
      return parts.method.toUpperCase()
    case '@request-target':
      return parts.target
    default:
      return contentComponent(parts, name)
  }
}

/** Returns the value of a component that a response signature covers; undefined where the response lacks it. */
export const responseComponent = (parts: ResponseParts, name: string): string | undefined =>
  name === '@status' ? String(parts.status) : contentComponent(parts, name)

const contentComponent = (parts: RequestParts | ResponseParts, name: string): string | undefined => {
  switch (name) {
    case 'content-digest':
      return parts.contentDigest?.trim()
    case 'content-type':
      return parts.contentType === undefined ? undefined : mediaTypeOf(parts.contentType)
    case 'content-length':
      return parts.contentLength === undefined ? undefined : String(parts.contentLength)
    default:
      return undefined
  }
}

/**
 * Builds the signature base of clause 5.2: one line per component, then `@signature-params`, without a final line feed.
 * `parameters` is the value of `Signature-Input` without its label.
 */
export const signatureBase = (
  components: readonly string[],
  componentOf: (component: string) => string | undefined,
  parameters: string,
  reading: BaseReading,
  label: string = SIGNATURE_LABEL,
): string => {
  let lines = ''
  for (const name of components) lines += `"${name}": ${componentOf(name) ?? ''}\n`
  const shown = reading === 'literal' ? `${label}=` : ''
  return `${lines}"@signature-params": ${shown}${parameters}`
}
