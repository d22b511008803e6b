import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { webhookSeconds } from '../../harness/profile/abilities-from-profile-lines.ts'
import type { LastWebhook, Webhook } from '../drivers/delivered-webhook.ts'

/** Reads the webhook from the response of its source, and what it and those before it tell; expects status 200. */
export const readNotification = (exchange: Exchange, expect: Expect) => {
  expectCome(expect.response(exchange).status === 200, 'webhook of the payment', exchange, expect)
  const message = expect.json(exchange) as LastWebhook
  const told = (webhook: Webhook): Exchange => toldBy(exchange, webhook)
  return { ...message, notification: told(message), earlier: (message.others ?? []).map(told) }
}

/** Shows a webhook as the response in which the profile's fields of a webhook are read. */
export const toldBy = (came: Exchange, { body }: Pick<Webhook, 'body'>): Exchange => ({
  ...came,
  response: { status: 200, headers: {}, body: Buffer.from(body) },
})

/**
 * Expects that a webhook has come. No time is stated for it (6): one that has not is a fault only where control shows
 * what was sent, or the profile says by a `patience` of a minute at most how long it may take.
 */
export const expectCome = (hasCome: boolean, webhook: string, exchange: Exchange, expect: Expect): void => {
  const seconds = webhookSeconds(expect.profile)
  if (!hasCome) expect.maybeLater(`no ${webhook}`, exchange)
  expect.holds(hasCome, `a ${webhook}`, expect.profile.control ? 'none' : `none within ${seconds} s`, exchange)
}
