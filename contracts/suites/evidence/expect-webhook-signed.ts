import type { Exchange } from '../../client/http-exchange.ts'
import { nowSeconds } from '../../client/wall-clock.ts'
import { readHeaders, signatureHeaderNames } from '../../dialect/rename-signature-headers.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
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
  const { webhooks, responses, file } = expect.profile
  const { signature: wanted } = webhooks ?? {}
  // The document leaves the headers of webhooks open (6): they may have the usual names though responses have others.
  const names = signatureHeaderNames(expect.profile)
  const own = names.signature in headers ? readHeaders(headers, names) : headers
  const header = (name: string) => own[name]
  const webhook = { target, header, body: Buffer.from(body), address: addressCalled(expect.profile, target) }
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
  if ('unread' in result) throw new Untestable(unjudgedSignature(result.unread, file), pushed)
  if ('untold' in result) throw untoldAddress(result.untold, pushed)
  wants('hash' in result, 'error' in result ? result.error : '')
}

/** The address that the service calls with a webhook; undefined where no line and no receiver of the run tells it. */
const addressCalled = ({ webhooks, control }: Profile, target = '/'): URL | undefined => {
  const { receiver = 'http://localhost', public: called } = webhooks ?? {}
  if (!control) return called === undefined ? undefined : new URL(called)
  const [pathname = '/', search = ''] = target.split(/\?(.*)/s)
  return Object.assign(new URL(called ?? receiver), { pathname, search })
}

const untoldAddress = (component: string, pushed: Exchange): Untestable => {
  const line = 'webhooks.command'
  const cure = ['@scheme', '@target-uri'].includes(component)
    ? 'only webhooks.public in its place can'
    : 'have it print the path and query that were called, as target, and the header host'
  return new Untestable(
    `the signature covers "${component}", which the webhooks of ${line} do not tell: ${cure}`,
    pushed,
    line,
  )
}

/** The time at which a webhook came, in UNIX seconds: as its receiver noted it, else at the end of the call that brought it. */
const receivedSeconds = ({ receivedAt }: Webhook, { at, durationMs }: Exchange): number => {
  const time = receivedAt === undefined ? Date.parse(at ?? '') + durationMs : Date.parse(receivedAt)
  return Number.isNaN(time) ? nowSeconds() : Math.floor(time / 1000)
}
