import type { Exchange } from '../../client/http-exchange.ts'
import { nowSeconds } from '../../client/wall-clock.ts'
import { readHeaders, signatureHeaderNames } from '../../dialect/rename-signature-headers.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import { acceptedResponseDialect } from '../../protocol/match-signature-dialect.ts'
import { verifyWebhook } from '../../protocol/verify-webhook.ts'
import { WEBHOOK_HEADERS } from '../../protocol/webhook-hmac.ts'
import type { Webhook } from '../drivers/delivered-webhook.ts'
import { CLOCK_TOLERANCE_SECONDS, verifyServiceWebhook } from './verify-service-signature-of-webhook.ts'
import { unjudgedSignature } from './verify-with-key-set.ts'

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
  const time = { nowSeconds: receivedSeconds(received, pushed), toleranceSeconds: CLOCK_TOLERANCE_SECONDS }
  const bySecret = wanted ? wanted !== 'rfc9421' : WEBHOOK_HEADERS.signature in own
  const byService = wanted ? wanted !== 'hmac' : 'signature' in own
  expect.holds(bySecret || byService, 'a webhook that is signed', 'no signature header', pushed)
  if (bySecret && !byService && secret === undefined)
    throw new Untestable(
      'the webhook is signed with its secret alone: add the line webhooks.secret to the profile',
      pushed,
      'webhooks.secret',
    )
  const wants = (isMet: boolean, why: string) => expect.holds(isMet, 'a signature that verifies', why, pushed)
  if (bySecret && secret !== undefined) {
    const verdict = verifyWebhook(webhook, [secret], time)
    wants(verdict.ok, verdict.ok ? '' : verdict.message)
  }
  if (!byService) return
  expect.served(keySet())
  const result = await verifyServiceWebhook(webhook, keySet(), acceptedResponseDialect(responses), time)
  if ('unread' in result) throw new Untestable(unjudgedSignature(result.unread, expect.profile.file), pushed)
  wants('hash' in result, 'error' in result ? result.error : '')
}

/** The time at which a webhook came, in UNIX seconds: as its receiver noted it, else at the end of the call that brought it. */
const receivedSeconds = ({ receivedAt }: Webhook, { at, durationMs }: Exchange): number => {
  const time = receivedAt === undefined ? Date.parse(at ?? '') + durationMs : Date.parse(receivedAt)
  return Number.isNaN(time) ? nowSeconds() : Math.floor(time / 1000)
}
