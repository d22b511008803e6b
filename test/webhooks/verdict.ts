import { createPublicKey } from 'node:crypto'
import { algorithmNamed } from '../../contracts/protocol/algorithms.ts'
import { verifyWebhook, verifyWebhookSignature } from '../../contracts/protocol/verify-webhook.ts'
import { SERVICE_PAIR, SHOP } from '../support/core.ts'
import type { Desk } from './desk.ts'

type Told = Awaited<ReturnType<Desk['told']>>[number]

const KEY = {
  keyId: 'service',
  algorithm: algorithmNamed('ECDSA_SHA_256'),
  publicKey: createPublicKey(SERVICE_PAIR.pem),
}
const EITHER = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] } as const

/** Whether both signatures of a message in the inbox verify for a merchant whose clock shows real time, or earlier. */
export const judged = async (desk: Desk, told: Told | undefined, earlierSeconds = 0) => {
  const time = { nowSeconds: Math.floor(desk.time.now / 1000) - earlierSeconds, toleranceSeconds: 60 }
  const webhook = {
    target: '/inbox',
    header: (name: string) => told?.headers[name],
    body: Buffer.from(told?.text ?? ''),
  }
  const hmac = verifyWebhook(webhook, [await desk.inbox.secretOf(SHOP)], time)
  const service = await verifyWebhookSignature(webhook, id => (id === KEY.keyId ? KEY : undefined), EITHER, time)
  return { hmac: hmac.ok, service: service.ok }
}
