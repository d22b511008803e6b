import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import type { Webhook } from '../drivers/delivered-webhook.ts'

/** Reads the webhook from the response of its source; expects status 200. */
export const readNotification = (exchange: Exchange, expect: Expect) => {
  expect.holds(
    expect.response(exchange).status === 200,
    'a webhook of the payment',
    expect.describeJudged(exchange),
    exchange,
  )
  const message = expect.json(exchange) as Webhook
  const response = { status: 200, headers: {}, body: Buffer.from(message.body) }
  return { ...message, notification: { ...exchange, response } }
}
