import { describeDigestError } from './content-digest.ts'
import { type AcceptedResponseDialect, readSignature, type VerifyingKey } from './match-signature-dialect.ts'
import { describeLackingComponent, matchByReaders, webhookReaders } from './received-components.ts'
import { readSignatureInput, truncateName } from './signature-input.ts'
import { UnreadableField } from './structured-field.ts'
import { isSignedByAny, WEBHOOK_HEADERS } from './webhook-hmac.ts'

/** A received webhook, for signature verification; `header` takes lower-case names. */
export type ReceivedWebhook = {
  /** Path and query exactly as received. */
  target: string
  header(name: string): string | undefined
  /** The exact bytes received, not a reserialised JSON value. */
  body: Uint8Array
}

/** The result of verifying a webhook; `message` says why it was rejected. */
export type WebhookVerdict = { ok: true } | { ok: false; message: string }

/** The present time and the accepted deviation of a webhook timestamp from it, either way (300 s by default). */
type WebhookTimeWindow = {
  nowSeconds: number
  toleranceSeconds?: number
}

const TOLERANCE_SECONDS = 300

/** Verifies the HMAC and timestamp of a webhook with the endpoint's secrets (6, D-100). */
export const verifyWebhook = (
  { header, body }: Pick<ReceivedWebhook, 'header' | 'body'>,
  secrets: readonly string[],
  time: WebhookTimeWindow,
): WebhookVerdict => {
  const [id, timestamp, signature] = [WEBHOOK_HEADERS.id, WEBHOOK_HEADERS.timestamp, WEBHOOK_HEADERS.signature].map(
    header,
  )
  if (id === undefined || timestamp === undefined || signature === undefined)
    return refuse(`the webhook lacks one of ${Object.values(WEBHOOK_HEADERS).join(', ')}`)
  const error = timestampError(timestamp, time)
  if (error) return refuse(error)
  if (!isSignedByAny(secrets, { id, timestamp, signature, body }))
    return refuse('the signature of the webhook is by none of the secrets')
  return { ok: true }
}

/**
 * Verifies the RFC 9421 signature of a webhook with the keys of the service's key set (5.4, D-100). It may cover any
 * components, its body and one among them that no response has, or a signed response could be sent as a webhook.
 */
export const verifyWebhookSignature = async (
  webhook: ReceivedWebhook,
  keyFor: (keyId: string) => VerifyingKey | undefined,
  dialect: AcceptedResponseDialect,
  time: WebhookTimeWindow,
): Promise<WebhookVerdict> => {
  try {
    return await judge(webhook, keyFor, dialect, time)
  } catch (error) {
    if (error instanceof UnreadableField) return refuse(error.message)
    throw error
  }
}

const judge = async (
  webhook: ReceivedWebhook,
  keyFor: (keyId: string) => VerifyingKey | undefined,
  dialect: AcceptedResponseDialect,
  time: WebhookTimeWindow,
): Promise<WebhookVerdict> => {
  const { header, body } = webhook
  const [inputHeader, signatureHeader, digest] = ['signature-input', 'signature', 'content-digest'].map(header)
  if (inputHeader === undefined || signatureHeader === undefined || digest === undefined)
    return refuse('the webhook is not signed by the service')
  const digestFault = describeDigestError(digest, body, dialect.digest)
  if (digestFault) return refuse(digestFault)
  const input = readSignatureInput(inputHeader, dialect.label)
  if (!input.components.includes('content-digest'))
    return refuse('the signature of the webhook does not cover "content-digest"')
  if (!input.components.some(name => name.startsWith('@')))
    return refuse('the signature of the webhook does not cover "@request-target"')
  const error = timestampError(String(input.created), time)
  if (error) return refuse(error)
  const key = keyFor(input.keyId)
  if (!key) return refuse(`the key set has no key "${truncateName(input.keyId)}"`)
  const readers = webhookReaders(webhook)
  const match = await matchByReaders(input, readSignature(signatureHeader, dialect.label), readers, key, dialect)
  if (match) return { ok: true }
  const lacking = describeLackingComponent(input, readers, 'webhook')
  return refuse(`the service's signature of the webhook does not verify${lacking}`)
}

const timestampError = (seconds: string, { nowSeconds, toleranceSeconds = TOLERANCE_SECONDS }: WebhookTimeWindow) => {
  const age = nowSeconds - Number(seconds)
  if (!/^\d{1,12}$/.test(seconds)) return 'the time of the webhook is no number of seconds'
  return Math.abs(age) > toleranceSeconds ? `the webhook is ${age} s old` : undefined
}

const refuse = (message: string): WebhookVerdict => ({ ok: false, message })
