import { SIGNATURE_LABEL } from './signature-input.ts'

/** Component lists of clause 5.2, in the only order it allows, of answers (5.4, D-27) and of webhooks (6, D-100). */
export const COMPONENTS = {
  requestWithBody: ['@authority', '@method', '@request-target', 'content-digest', 'content-type', 'content-length'],
  requestWithoutBody: ['@authority', '@method', '@request-target'],
  answerWithBody: ['content-digest', 'content-type', 'content-length', '@status'],
  answerWithoutBody: ['@status'],
  webhook: ['@method', '@request-target', 'content-digest', 'content-type', 'content-length'],
} as const

/** How the last line of the base is read: as RFC 9421 says, or literally as the document prints it, label in front. */
export const READINGS = ['rfc', 'literal'] as const
export type Reading = (typeof READINGS)[number]

/** Whether `@authority` holds the port: the document drops it, RFC 9421 keeps one that is not the default (C7). */
export type Port = 'dropped' | 'kept'

/** What a request signature covers; `contentDigest` and `contentType` only where there is a body. */
export type RequestParts = {
  method: string
  /** Path and query exactly as sent, never normalised. */
  target: string
  /** The `Host` header; upper case is dropped here, and the port unless told otherwise. */
  host: string
  port?: Port | undefined
  contentDigest?: string | undefined
  contentType?: string | undefined
  contentLength?: number | undefined
}

export type AnswerParts = { status: number; contentDigest?: string; contentType?: string; contentLength?: number }

/** Host name in lower case without its port; keeps the brackets of an IPv6 address. */
export const authorityOf = (host: string, port: Port = 'dropped'): string =>
  port === 'kept' ? host.trim().toLowerCase() : host.trim().toLowerCase().replace(/:\d*$/, '')

/** Media type in lower case without parameters such as charset. */
export const mediaTypeOf = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()

/** Value of one component; a component that the message lacks has none. */
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

export const answerComponent = (parts: AnswerParts, name: string): string | undefined =>
  name === '@status' ? String(parts.status) : contentComponent(parts, name)

const contentComponent = (parts: RequestParts | AnswerParts, name: string): string | undefined => {
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
 * The signature base of clause 5.2: one line a component, then `@signature-params`, no line feed at the end.
 * `parameters` is the value of `Signature-Input` without its label.
 */
export const signatureBase = (
  components: readonly string[],
  componentOf: (component: string) => string | undefined,
  parameters: string,
  reading: Reading,
): string => {
  let lines = ''
  for (const name of components) lines += `"${name}": ${componentOf(name) ?? ''}\n`
  const label = reading === 'literal' ? `${SIGNATURE_LABEL}=` : ''
  return `${lines}"@signature-params": ${label}${parameters}`
}
