import type { Exchange } from '../../client/http-exchange.ts'
import { WEBHOOK_HEADERS } from '../../protocol/webhook-hmac.ts'

/**
 * A webhook as it was delivered: path and query, headers in lower case, the exact body; target, secret
 * and the time at which it came (ISO 8601) where they are known.
 */
export type Webhook = {
  target?: string
  headers: Readonly<Record<string, string>>
  body: string
  secret?: string
  receivedAt?: string
}

/** A webhook as a source tells it: the last one of a payment, with those that came before it. */
export type LastWebhook = Webhook & { others?: readonly Webhook[] }

/** One way for checks to see the webhooks of an organization. */
export type WebhookSource = {
  /**
   * Waits for the last webhook of a payment: an exchange whose response has status 200 and a LastWebhook as JSON, or another
   * status where none came. Throws Inconclusive where no webhook of any payment came, Untestable where none can be tied to one.
   */
  outcomeOf(transactionId: string): Promise<Exchange>
  /** Looks once which webhooks of a payment have come: an exchange whose response is DeliveredWebhooks as JSON. */
  deliveriesOf(transactionId: string): Promise<Exchange>
  close(): void
}

/**
 * Webhooks of one payment so far, oldest first; `reached` tells whether a webhook of some payment has come by this
 * source, `untied` that the profile does not tell which payment those that came are about.
 */
export type DeliveredWebhooks = { webhooks: readonly Webhook[]; reached: boolean; untied?: true }

/** What makes two deliveries the same webhook: its id, else its body. */
export const webhookKey = ({ headers, body }: { headers: Readonly<Record<string, string>>; body?: unknown }): string =>
  headers[WEBHOOK_HEADERS.id] ?? String(body)
