import { WEBHOOK_HEADERS } from '../../protocol/webhook-hmac.ts'

/**
 * A webhook as it was delivered: path and query, headers in lower case, the exact body; the secret and the time at which
 * it came (ISO 8601) where they are known.
 */
export type Webhook = {
  target: string
  headers: Readonly<Record<string, string>>
  body: string
  secret?: string
  receivedAt?: string
}

/** A webhook as a source tells it: the last one of a payment, with those that came before it. */
export type LastWebhook = Webhook & { others?: readonly Webhook[] }

/** What makes two deliveries the same webhook: its id, else its body. */
export const webhookKey = ({ headers, body }: { headers: Readonly<Record<string, string>>; body?: unknown }): string =>
  headers[WEBHOOK_HEADERS.id] ?? String(body)
