import { describeDigestError } from '../../protocol/content-digest.ts'
import {
  type AcceptedResponseDialect,
  readSignature,
  type VerifyingKey,
} from '../../protocol/match-signature-dialect.ts'
import { matchByReaders, webhookReaders } from '../../protocol/received-components.ts'
import { readSignatureInput, SIGNATURE_LABEL } from '../../protocol/signature-input.ts'
import { readDictionary, UnreadableField } from '../../protocol/structured-field.ts'
import type { ReceivedWebhook, WebhookVerdict } from '../../protocol/verify-webhook.ts'

type Keys = (keyId: string) => VerifyingKey | undefined
/** A webhook, and the URL that the service calls with it. */
type AddressedWebhook = ReceivedWebhook & { address: URL }

/** Age of a signature, in seconds, that is accepted either way. */
const TOLERANCE_SECONDS = 300

/**
 * Verifies the service's signature of a webhook, under whatever label and over whatever components it lists, if the
 * body's digest is one: the document leaves them open (6, D-100).
 */
export const verifyServiceWebhook = async (
  webhook: AddressedWebhook,
  keyFor: Keys,
  dialect: AcceptedResponseDialect,
  nowSeconds: number,
): Promise<WebhookVerdict> => {
  try {
    return await verify(webhook, keyFor, dialect, nowSeconds)
  } catch (error) {
    if (error instanceof UnreadableField) return { ok: false, message: error.message }
    throw error
  }
}

const verify = async (
  { address, ...webhook }: AddressedWebhook,
  keyFor: Keys,
  dialect: AcceptedResponseDialect,
  nowSeconds: number,
): Promise<WebhookVerdict> => {
  const { header, body } = webhook
  const refuse = (message: string): WebhookVerdict => ({ ok: false, message })
  const [inputs = '', signatures = '', digest = ''] = ['signature-input', 'signature', 'content-digest'].map(header)
  const digestError = describeDigestError(digest, body)
  if (digestError) return refuse(digestError)
  const labels = [...readDictionary('Signature-Input', inputs).keys()]
  const label = labels.find(name => name === (dialect.label ?? SIGNATURE_LABEL)) ?? labels[0]
  if (label === undefined) return refuse('the webhook is not signed by the service')
  const input = readSignatureInput(inputs, label)
  if (!input.components.includes('content-digest'))
    return refuse('the signature of the webhook does not cover its body')
  if (Math.abs(nowSeconds - input.created) > TOLERANCE_SECONDS)
    return refuse(`the webhook is ${nowSeconds - input.created} s old`)
  const key = keyFor(input.keyId)
  if (!key) return refuse('the key set has no key by which the webhook is signed')
  const signature = readSignature(signatures, label)
  return (await matchByReaders(input, signature, webhookReaders(webhook, address), key, dialect))
    ? { ok: true }
    : refuse("the service's signature of the webhook does not verify")
}
