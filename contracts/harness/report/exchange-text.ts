import { describeExchange, type Exchange } from '../../client/http-exchange.ts'
import { redact } from '../../client/redact-secrets.ts'

const LONGEST_BODY = 2000

/** Formats an exchange as readable text, with its secrets redacted. */
export const exchangeText = (exchange: Exchange): string => {
  const { request, response, transportError } = redact(exchange)
  const lines = [describeExchange(exchange), ...headerLines('>', request.headers), ...bodyLines('>', request.body)]
  if (transportError) lines.push(`! ${transportError.code}: ${transportError.message}`)
  if (response)
    lines.push(`< HTTP ${response.status}`, ...headerLines('<', response.headers), ...bodyLines('<', response.body))
  return lines.join('\n')
}

const headerLines = (mark: string, headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${mark} ${name}: ${value}`)

const bodyLines = (mark: string, body: Uint8Array | undefined): string[] => {
  if (!body?.length) return []
  const text = Buffer.from(body).toString('utf8')
  const shown = text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)} … (${text.length} characters)` : text
  return [mark, ...shown.split('\n').map(line => `${mark} ${line}`)]
}

/** Formats the title of an exchange in one line: method, path without host, and outcome. */
export const exchangeTitle = (exchange: Exchange): string => describeExchange(exchange).replace(/https?:\/\/[^/]+/, '')

/**
 * Returns the label of the exchange that a judged one is compared with: one of a check by what it is for, any other by
 * its own name.
 */
export const controlLabel = (id: string): string => (id.includes(' ') ? id : 'Compared with')
