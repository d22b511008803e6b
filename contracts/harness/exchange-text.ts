import { type Exchange, lineOf } from '../client/exchange.ts'
import { redact } from '../client/redact.ts'

const LONGEST_BODY = 2000

/** An exchange as a person reads it, with its secrets hidden. */
export const exchangeText = (exchange: Exchange): string => {
  const { request, answer, fault } = redact(exchange)
  const lines = [lineOf(exchange), ...headerLines('>', request.headers), ...bodyLines('>', request.body)]
  if (fault) lines.push(`! ${fault.code}: ${fault.message}`)
  if (answer) lines.push(`< HTTP ${answer.status}`, ...headerLines('<', answer.headers), ...bodyLines('<', answer.body))
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
