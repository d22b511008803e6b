import type { DialectLines } from '../dialect/dialect-lines.ts'
import { signatureHeaderNames } from '../dialect/rename-signature-headers.ts'
import type { AcceptedResponseDialect } from '../protocol/match-signature-dialect.ts'
import {
  type ReceivedWebhook,
  verifyWebhook,
  verifyWebhookSignature,
  type WebhookVerdict,
} from '../protocol/verify-webhook.ts'
import { ANY_DIALECT } from './response-verifier.ts'
import type { KeySetCache } from './service-key-set.ts'
import { nowSeconds } from './wall-clock.ts'

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
    const keys = await keyCache(webhook.header('signature-input'))
    return verifyWebhookSignature(webhook, keyId => keys.get(keyId), dialect, time)
  }
