import { createPublicKey } from 'node:crypto'
import { algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'
import { COVERED_COMPONENTS } from '../../contracts/protocol/signature-base.ts'
import { readSignatureInput } from '../../contracts/protocol/signature-input.ts'
import { verifyWebhook, verifyWebhookSignature } from '../../contracts/protocol/verify-webhook.ts'
import { SERVICE_PAIR, SHOP } from '../support/simulator-core.ts'
import type { WebhookCore } from './simulator-core-with-webhooks.ts'

type Told = Awaited<ReturnType<WebhookCore['told']>>[number]

const KEY = {
  keyId: 'service',
  algorithm: algorithmNamed('ECDSA_SHA_256'),
  publicKey: createPublicKey(SERVICE_PAIR.pem),
}
const EITHER = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] } as const

/** Verifies both signatures of an inbox message in a test as of real time, or some seconds earlier. */
export const verifyInboxSignatures = async (desk: WebhookCore, told: Told | undefined, earlierSeconds = 0) => {
  const time = { nowSeconds: Math.floor(desk.time.now / 1000) - earlierSeconds, toleranceSeconds: 60 }
  const webhook = {
    target: '/inbox',
    header: (name: string) => told?.headers[name],
    body: Buffer.from(told?.text ?? ''),
  }
  const hmac = verifyWebhook(webhook, [await desk.inbox.secretOf(SHOP)], time)
  const service = await verifyWebhookSignature(webhook, id => (id === KEY.keyId ? KEY : undefined), EITHER, time)
  const { components } = readSignatureInput(webhook.header('signature-input') ?? '')
  return { hmac: hmac.ok, service: service.ok && components.join() === COVERED_COMPONENTS.webhook.join() }
}
