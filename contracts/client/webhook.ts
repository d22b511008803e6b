import {
  type ReceivedWebhook,
  verifyWebhook,
  verifyWebhookSignature,
  type WebhookVerdict,
} from '../protocol/verify-webhook.ts'
import { EITHER, type KeyCache } from './key-set.ts'
import { nowSeconds } from './real-time.ts'

/**
 * A verifier of webhooks: both signatures must hold. The HMAC alone will do for a merchant who keeps the endpoint's
 * secret; the service's own also proves it to others. Real time judges both: nobody else travels.
 */
export const createWebhookVerifier =
  (keyCache: KeyCache) =>
  async (webhook: ReceivedWebhook, secrets: readonly string[], now = nowSeconds()): Promise<WebhookVerdict> => {
    const time = { nowSeconds: now }
    const verdict = verifyWebhook(webhook, secrets, time)
    if (!verdict.ok) return verdict
    const keys = await keyCache(webhook.header('signature-input'))
    return verifyWebhookSignature(webhook, keyId => keys.get(keyId), EITHER, time)
  }
