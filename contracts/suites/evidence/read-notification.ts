import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Inconclusive } from '../../harness/judge/verdict-errors.ts'
import { patienceSeconds } from '../../harness/profile/abilities-from-profile-lines.ts'
import type { LastWebhook, Webhook } from '../drivers/delivered-webhook.ts'

/** Reads the webhook from the response of its source, and what it and those before it tell; expects status 200. */
export const readNotification = (exchange: Exchange, expect: Expect) => {
  expectCome(expect.response(exchange).status === 200, 'a webhook of the payment', exchange, expect)
  const message = expect.json(exchange) as LastWebhook
  const toldBy = ({ body }: Webhook): Exchange => ({
    ...exchange,
    response: { status: 200, headers: {}, body: Buffer.from(body) },
  })
  return { ...message, notification: toldBy(message), earlier: (message.others ?? []).map(toldBy) }
}

/**
 * Expects that a webhook has come. No time is stated for it (6): one that has not is a fault only where control shows
 * what was sent, or the profile says by `patience` how long to wait.
 */
export const expectCome = (hasCome: boolean, webhook: string, exchange: Exchange, expect: Expect): void => {
  const { control, patience, file } = expect.profile
  const within = control ? '' : ` within ${patienceSeconds(expect.profile)} s`
  if (!hasCome && !control && patience === undefined)
    throw new Inconclusive(`${webhook} has not come${within}: say in ${file} as patience how long to wait`, exchange)
  expect.holds(hasCome, webhook, `none${within}`, exchange)
}
