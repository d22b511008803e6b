import { jsonLeaves } from '../dialect/json-pointer.ts'
import { type Exchange, responseJson } from './http-exchange.ts'

/** Returns the message of a refusal: the member named like one, else the first text of several words, else the body. */
export const refusalMessage = (exchange: Exchange): string => {
  const named = valueNamed(exchange, /message|description|detail|title/i)
  const texts = jsonLeaves(responseJson(exchange)).map(({ value }) => String(value))
  const body = exchange.response?.body.toString('utf8') ?? ''
  return named ?? texts.find(text => text.includes(' ')) ?? (texts.length > 0 ? '' : body.replace(/\s+/g, ' ').trim())
}

/** Returns the value of the first member of a response whose name fits; undefined where there is none. */
export const valueNamed = (exchange: Exchange, name: RegExp): string | undefined =>
  jsonLeaves(responseJson(exchange))
    .find(({ pointer }) => name.test(pointer.slice(pointer.lastIndexOf('/'))))
    ?.value.toString()
