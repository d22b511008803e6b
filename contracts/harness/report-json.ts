import { type Exchange, redact } from '../client/exchange.ts'
import type { Result } from './check.ts'
import { layersOff } from './layers-off.ts'
import type { Profile } from './profile.ts'
import type { Summary } from './summary.ts'

/** The whole run as JSON, secrets hidden. */
export const jsonReport = (results: readonly Result[], summary: Summary, profile: Profile): string => {
  const { name, target } = profile
  const checks = results.map(result => ({
    ...result,
    ...(result.exchange && { exchange: readable(result.exchange) }),
    ...(result.control && {
      control: {
        id: result.control.id,
        ...(result.control.exchange && { exchange: readable(result.control.exchange) }),
      },
    }),
  }))
  const off = layersOff(results)
  const lowered = off === undefined ? {} : { layersOff: off }
  return `${JSON.stringify({ profile: name, target, ...lowered, summary, checks }, null, 2)}\n`
}

const readable = (exchange: Exchange) => {
  const { request, answer, ...rest } = redact(exchange)
  return { ...rest, request: withText(request), ...(answer && { answer: withText(answer) }) }
}

const withText = <Message extends { body?: Uint8Array }>({ body, ...message }: Message) => ({
  ...message,
  ...(body === undefined ? {} : { body: Buffer.from(body).toString('utf8') }),
})
