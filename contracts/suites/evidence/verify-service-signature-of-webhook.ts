import type { Exchange } from '../../client/http-exchange.ts'
import { describeDigestError } from '../../protocol/content-digest.ts'
import { type AcceptedResponseDialect, readSignature } from '../../protocol/match-signature-dialect.ts'
import { webhookReaders } from '../../protocol/received-components.ts'
import { readSignatureInput, SIGNATURE_LABEL } from '../../protocol/signature-input.ts'
import { readDictionary, UnreadableField } from '../../protocol/structured-field.ts'
import type { ReceivedWebhook } from '../../protocol/verify-webhook.ts'
import { type ServiceSignatureResult, verifyWithKeySet } from './verify-with-key-set.ts'

/** A webhook, and the URL that the service calls with it; undefined what its source does not tell. */
type AddressedWebhook = Omit<ReceivedWebhook, 'target'> & { target: string | undefined; address: URL | undefined }

/** The result of verifying a webhook: `untold` is a component of the address called that its source does not tell. */
type WebhookSignatureResult = ServiceSignatureResult | { untold: string }

const ADDRESS_COMPONENTS = ['@request-target', '@path', '@query', '@authority', '@scheme', '@target-uri']

/**
 * Deviation of a webhook's time from that of its arrival, in seconds, that the suite accepts either way: no tolerance is
 * stated (5.2, 6), and clocks that are minutes apart still tell the real time (D-100).
 */
export const CLOCK_TOLERANCE_SECONDS = 30 * 60

/**
 * Verifies the service's signature of a webhook, under whatever label and over whatever components it lists, if the
 * body's digest is one, with any key of the key set: the document leaves them open (6, D-100).
 */
export const verifyServiceWebhook = async (
  webhook: AddressedWebhook,
  keySet: Exchange,
  dialect: AcceptedResponseDialect,
  time: { nowSeconds: number },
): Promise<WebhookSignatureResult> => {
  try {
    return await verify(webhook, keySet, dialect, time)
  } catch (error) {
    if (error instanceof UnreadableField) return { unread: error.message }
    throw error
  }
}

const verify = async (
  { address, ...webhook }: AddressedWebhook,
  keySet: Exchange,
  dialect: AcceptedResponseDialect,
  { nowSeconds }: { nowSeconds: number },
): Promise<WebhookSignatureResult> => {
  const { header, body } = webhook
  const refuse = (error: string): ServiceSignatureResult => ({ error })
  const [inputs = '', signatures = '', digest = ''] = ['signature-input', 'signature', 'content-digest'].map(header)
  const digestError = describeDigestError(digest, body)
  if (digestError) return refuse(digestError)
  const labels = [...readDictionary('Signature-Input', inputs).keys()]
  const label = labels.find(name => name === (dialect.label ?? SIGNATURE_LABEL)) ?? labels[0]
  if (label === undefined) return refuse('the webhook is not signed by the service')
  const input = readSignatureInput(inputs, label)
  if (!input.components.includes('content-digest'))
    return refuse('the signature of the webhook does not cover its body')
  if (Math.abs(nowSeconds - input.created) > CLOCK_TOLERANCE_SECONDS)
    return refuse(`the webhook is ${nowSeconds - input.created} s old`)
  const readers = webhookReaders(webhook, address)
  const untold = ADDRESS_COMPONENTS.find(name => input.components.includes(name) && readers[0]?.(name) === undefined)
  if (untold !== undefined) return { untold }
  const signature = readSignature(signatures, label)
  return verifyWithKeySet(keySet, { of: 'webhook', input, signature, dialect }, readers)
}
