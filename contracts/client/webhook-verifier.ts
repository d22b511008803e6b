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
  (keyCache: KeySetCache, dialect: AcceptedResponseDialect = ANY_DIALECT) =>
  async (webhook: ReceivedWebhook, secrets: readonly string[], now = nowSeconds()): Promise<WebhookVerdict> => {
    const time = { nowSeconds: now }
    const verdict = verifyWebhook(webhook, secrets, time)
    if (!verdict.ok) return verdict
    const keys = await keyCache(webhook.header('signature-input'))
    return verifyWebhookSignature(webhook, keyId => keys.get(keyId), dialect, time)
  }
