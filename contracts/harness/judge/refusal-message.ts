import { type Exchange, responseJson } from '../../client/http-exchange.ts'
import { redact } from '../../client/redact-secrets.ts'
import { jsonLeaves } from '../../dialect/json-pointer.ts'
import { shortenedText } from '../report/exchange-text.ts'

const LONGEST_MESSAGE = 200

/**
 * Returns the message of a refusal, truncated: the member named like one, else the first text of several words, else the
 * body. What is truncated keeps parts of secrets, so they are hidden first.
 */
export const refusalMessage = (refused: Exchange): string => {
  const exchange = redact(refused)
  const named = valueNamed(exchange, /message|description|detail|title/i)
  const texts = jsonLeaves(responseJson(exchange)).map(({ value }) => String(value))
  const body = exchange.response?.body.toString('utf8') ?? ''
  const message = named ?? texts.find(text => text.includes(' ')) ?? (texts.length > 0 ? '' : body)
  return shortenedText(message.replace(/\s+/g, ' ').trim(), LONGEST_MESSAGE)
}

/** Returns the value of the first member of a response whose name fits; undefined where there is none. */
export const valueNamed = (exchange: Exchange, name: RegExp): string | undefined =>
  jsonLeaves(responseJson(exchange))
    .find(({ pointer }) => name.test(pointer.slice(pointer.lastIndexOf('/'))))
    ?.value.toString()
