import { contentDigestFault } from './content-digest.ts'
import { COMPONENTS, requestComponent } from './signature-base.ts'
import { readSignatureInput, told } from './signature-input.ts'
import { UnreadableField } from './structured-field.ts'
import { type Dialect, matchSignature, readSignature, type VerifyingKey } from './verify.ts'
import { isSignedWith, WEBHOOK } from './webhook-signature.ts'

export type ReceivedWebhook = {
  /** Path and query exactly as received. */
  target: string
  header(name: string): string | undefined
  /** The exact bytes: a body parsed and written again is another one. */
  body: Uint8Array
}

export type WebhookVerdict = { ok: true } | { ok: false; message: string }

export type WebhookTime = {
  nowSeconds: number /** Either way; a repeated old one is no news. */
  toleranceSeconds?: number
}

const TOLERANCE_SECONDS = 300

/** Judges the HMAC of a webhook and how old it is: all that a merchant with the endpoint's secret needs (6, D-100). */
export const verifyWebhook = (
  { header, body }: ReceivedWebhook,
  secrets: readonly string[],
  time: WebhookTime,
): WebhookVerdict => {
  const [id, timestamp, signature] = [WEBHOOK.id, WEBHOOK.timestamp, WEBHOOK.signature].map(header)
  if (id === undefined || timestamp === undefined || signature === undefined)
    return refuse(`the webhook lacks one of ${Object.values(WEBHOOK).join(', ')}`)
  const fault = timeFault(timestamp, time)
  if (fault) return refuse(fault)
  if (!isSignedWith(secrets, { id, timestamp, signature, body }))
    return refuse('the signature of the webhook is by none of the secrets')
  return { ok: true }
}

/** Judges the service's own signature of a webhook (RFC 9421), with the keys of the key set (5.4, D-100). */
export const verifyWebhookSignature = async (
  webhook: ReceivedWebhook,
  keyFor: (keyId: string) => VerifyingKey | undefined,
  dialect: Dialect,
  time: WebhookTime,
): Promise<WebhookVerdict> => {
  try {
    return await judge(webhook, keyFor, dialect, time)
  } catch (error) {
    if (error instanceof UnreadableField) return refuse(error.message)
    throw error
  }
}

const judge = async (
  { target, header, body }: ReceivedWebhook,
  keyFor: (keyId: string) => VerifyingKey | undefined,
  dialect: Dialect,
  time: WebhookTime,
): Promise<WebhookVerdict> => {
  const [inputHeader, signatureHeader, digest] = ['signature-input', 'signature', 'content-digest'].map(header)
  if (inputHeader === undefined || signatureHeader === undefined || digest === undefined)
    return refuse('the webhook is not signed by the service')
  const digestFault = contentDigestFault(digest, body)
  if (digestFault) return refuse(digestFault)
  const input = readSignatureInput(inputHeader)
  const missing = COMPONENTS.webhook.find(name => !input.components.includes(name))
  if (missing) return refuse(`the signature of the webhook does not cover "${missing}"`)
  const fault = timeFault(String(input.created), time)
  if (fault) return refuse(fault)
  const key = keyFor(input.keyId)
  if (!key) return refuse(`the key set has no key "${told(input.keyId)}"`)
  const contentType = header('content-type')
  const parts = { method: 'POST', target, host: '', contentDigest: digest, contentType, contentLength: body.length }
  const componentOf = (name: string) => requestComponent(parts, name)
  const match = await matchSignature(input, readSignature(signatureHeader), componentOf, key, dialect)
  return match ? { ok: true } : refuse("the service's signature of the webhook does not verify")
}

const timeFault = (seconds: string, { nowSeconds, toleranceSeconds = TOLERANCE_SECONDS }: WebhookTime) => {
  const age = nowSeconds - Number(seconds)
  if (!/^\d{1,12}$/.test(seconds)) return 'the time of the webhook is no number of seconds'
  return Math.abs(age) > toleranceSeconds ? `the webhook is ${age} s old` : undefined
}

const refuse = (message: string): WebhookVerdict => ({ ok: false, message })
