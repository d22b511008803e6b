import { describeExchange, type Exchange } from '../../client/http-exchange.ts'
import { redact, redactorOf } from '../../client/redact-secrets.ts'

const [LONGEST_BODY, LONGEST_LINE] = [2000, 1000]

/** Returns the beginning of a text that is too long to show, with its length: a server may write any. */
export const shortenedText = (text: string, longest = LONGEST_LINE): string =>
  text.length > longest && !isShortened(text, longest)
    ? `${text.slice(0, longest)} … (${text.length} characters)`
    : text

/** A text of an earlier report is not cut again, which would tell the length of what was left of it. */
const isShortened = (text: string, longest: number): boolean => /^ … \(\d+ characters\)$/.test(text.slice(longest))

/** Returns the function that shows a text of a service: without the secrets of these exchanges, and not at any length. */
export const showingTexts = (exchanges: readonly Exchange[]): ((text: string, longest?: number) => string) => {
  const redactor = redactorOf(exchanges)
  return (text, longest) => shortenedText(redactor.text(text), longest)
}

/** Ends a text with a full stop, unless it is a question. */
export const asSentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** Formats an exchange as readable text, with its secrets redacted. */
export const exchangeText = (exchange: Exchange): string => {
  const hidden = redact(exchange)
  const { request, response, transportError } = hidden
  const lines = [
    shortenedText(describeExchange(hidden)),
    ...headerLines('>', request.headers),
    ...bodyLines('>', request.body),
  ]
  if (transportError) lines.push(shortenedText(`! ${transportError.code}: ${transportError.message}`))
  if (response)
    lines.push(`< HTTP ${response.status}`, ...headerLines('<', response.headers), ...bodyLines('<', response.body))
  return lines.join('\n')
}

const headerLines = (mark: string, headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => shortenedText(`${mark} ${name}: ${value}`))

const bodyLines = (mark: string, body: Uint8Array | undefined): string[] => {
  if (!body?.length) return []
  const shown = shortenedText(Buffer.from(body).toString('utf8'), LONGEST_BODY)
  return [mark, ...shown.split('\n').map(line => `${mark} ${line}`)]
}

/** Formats the title of an exchange in one line: method, path without host, and outcome. */
export const exchangeTitle = (exchange: Exchange): string =>
  shortenedText(describeExchange(exchange).replace(/https?:\/\/[^/]+/, ''))

/**
 * Returns the label of the exchange that a judged one is compared with: one of a check by what it is for, any other by
 * its own name.
 */
export const controlLabel = (id: string): string => (id.includes(' ') ? id : 'Compared with')
