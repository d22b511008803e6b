import type { DialectLines } from '../dialect/dialect-lines.ts'
import { signatureHeaderNames } from '../dialect/rename-signature-headers.ts'
import type { components } from '../openapi.gen.ts'
import { isJsonObject } from '../protocol/canonical-json.ts'
import type { AcceptedResponseDialect } from '../protocol/match-signature-dialect.ts'
import {
  type ReceivedWebhook,
  verifyWebhook,
  verifyWebhookSignature,
  type WebhookVerdict,
} from '../protocol/verify-webhook.ts'
import { UnreadableKeySet } from './call-errors.ts'
import { jsonOf } from './http-exchange.ts'
import { ANY_DIALECT } from './response-verifier.ts'
import type { KeySetCache } from './service-key-set.ts'
import { nowSeconds } from './wall-clock.ts'

/** A webhook whose signatures verify, with what it tells in the document's members; or why it was rejected. */
export type VerifiedWebhook =
  | { ok: true; notification: components['schemas']['Notification'] }
  | { ok: false; message: string }

type VerifyWebhook<Verdict> = (received: ReceivedWebhook, secrets: readonly string[], now?: number) => Promise<Verdict>

/** Creates a verifier that also reads what a webhook tells, by `read` in the document's members whatever the dialect. */
export const createWebhookReader =
  (verify: VerifyWebhook<WebhookVerdict>, read: (spoken: unknown) => unknown): VerifyWebhook<VerifiedWebhook> =>
  async (received, secrets, now) => {
    const verdict = await verify(received, secrets, now)
    if (!verdict.ok) return verdict
    const notification = read(jsonOf(received.body))
    return isJsonObject(notification)
      ? { ok: true, notification: notification as components['schemas']['Notification'] }
      : { ok: false, message: 'the body of the webhook is no JSON object' }
  }

/**
 * Creates a verifier of webhooks: both the HMAC by the endpoint's secret and the RFC 9421 signature of the service must
 * verify. Timestamps are compared with wall-clock time.
 */
export const createWebhookVerifier =
  (keyCache: KeySetCache, dialect: AcceptedResponseDialect = ANY_DIALECT, lines: DialectLines = {}) =>
  async (received: ReceivedWebhook, secrets: readonly string[], now = nowSeconds()): Promise<WebhookVerdict> => {
    const time = { nowSeconds: now }
    const names: Readonly<Record<string, string>> = signatureHeaderNames(lines)
    const webhook = { ...received, header: (name: string) => received.header(names[name] ?? name) }
    const how = lines.webhooks?.signature ?? 'both'
    const verdict: WebhookVerdict = how === 'rfc9421' ? { ok: true } : verifyWebhook(webhook, secrets, time)
    if (!verdict.ok || how === 'hmac') return verdict
    const keys = await keyCache(webhook.header('signature-input')).catch(toRefusal)
    return 'ok' in keys ? keys : verifyWebhookSignature(webhook, keyId => keys.get(keyId), dialect, time)
  }

const toRefusal = (error: unknown): { ok: false; message: string } => {
  if (error instanceof UnreadableKeySet) return { ok: false, message: error.message }
  throw error
}
