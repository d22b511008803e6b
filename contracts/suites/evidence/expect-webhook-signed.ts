import type { Exchange } from '../../client/http-exchange.ts'
import { readJwks, readVerifyingKeys, toVerifyingKey } from '../../client/service-key-set.ts'
import { nowSeconds } from '../../client/wall-clock.ts'
import { readHeaders, signatureHeaderNames } from '../../dialect/rename-signature-headers.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import { acceptedResponseDialect } from '../../protocol/match-signature-dialect.ts'
import { verifyWebhook } from '../../protocol/verify-webhook.ts'
import { WEBHOOK_HEADERS } from '../../protocol/webhook-hmac.ts'
import type { Webhook } from '../drivers/delivered-webhook.ts'
import { verifyServiceWebhook } from './verify-service-signature-of-webhook.ts'

/**
 * Expects a webhook to be signed with its secret, with the service's key or both, and each signature to verify (D-100);
 * `keySet` gives the response with the keys. Throws Untestable where its secret alone signs it and the profile lacks
 * that.
 */
export const expectWebhookSigned = async (
  received: Webhook,
  keySet: () => Exchange,
  expect: Expect,
  pushed: Exchange,
): Promise<void> => {
  const { target, headers, body, secret } = received
  const { webhooks, responses } = expect.profile
  const { signature: wanted, receiver = 'http://localhost', public: called = receiver } = webhooks ?? {}
  // The document leaves the headers of webhooks open (6): they may have the usual names though responses have others.
  const names = signatureHeaderNames(expect.profile)
  const own = names.signature in headers ? readHeaders(headers, names) : headers
  const header = (name: string) => own[name]
  const webhook = { target, header, body: Buffer.from(body), address: new URL(called) }
  const time = { nowSeconds: receivedSeconds(received, pushed) }
  const bySecret = wanted ? wanted !== 'rfc9421' : WEBHOOK_HEADERS.signature in own
  const byService = wanted ? wanted !== 'hmac' : 'signature' in own
  expect.holds(bySecret || byService, 'a webhook that is signed', 'no signature header', pushed)
  if (bySecret && !byService && secret === undefined)
    throw new Untestable(
      'the webhook is signed with its secret alone: add the line webhooks.secret to the profile',
      pushed,
      'webhooks.secret',
    )
  const verdicts = bySecret && secret !== undefined ? [verifyWebhook(webhook, [secret], time)] : []
  if (byService) {
    expect.served(keySet())
    const keys = readVerifyingKeys(keySet())
    const keyFor = (keyId: string) => {
      const key = keys.get(keyId)
      if (!key) ensureNoOtherKey(keySet(), keyId, pushed)
      return key
    }
    verdicts.push(await verifyServiceWebhook(webhook, keyFor, acceptedResponseDialect(responses), time.nowSeconds))
  }
  for (const verdict of verdicts)
    expect.holds(verdict.ok, 'a signature that verifies', verdict.ok ? '' : verdict.message, pushed)
}

/** Throws Untestable where the key of this id is none of 5.2, as the service may sign by any (5.4, 6). */
const ensureNoOtherKey = (keySet: Exchange, keyId: string, pushed: Exchange): void => {
  if (readJwks(keySet).some(jwk => jwk && (jwk.kid ?? keyId) === keyId && toVerifyingKey(jwk) === undefined))
    throw new Untestable('the webhook is signed by a key of the key set that is no EC key', pushed)
}

/** The time at which a webhook came, in UNIX seconds: as its receiver noted it, else at the end of the call that brought it. */
const receivedSeconds = ({ receivedAt }: Webhook, { at, durationMs }: Exchange): number => {
  const time = receivedAt === undefined ? Date.parse(at ?? '') + durationMs : Date.parse(receivedAt)
  return Number.isNaN(time) ? nowSeconds() : Math.floor(time / 1000)
}
