import { createHmac, timingSafeEqual } from 'node:crypto'

/** The three headers of Standard Webhooks; the timestamp is in UNIX seconds (6, D-100). */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** Whether a text is a webhook secret: `whsec_` and a key in Base64. */
export const isWebhookSecret = (text: string): boolean => SECRET.test(text)

/** Encodes a webhook secret: `whsec_` and the key in Base64. */
export const encodeWebhookSecret = (key: Uint8Array): string => `whsec_${Buffer.from(key).toString('base64')}`

/** Computes a webhook signature: `v1,` and the Base64 HMAC-SHA256 over id, timestamp and the exact body bytes. */
export const createWebhookHmac = (secret: string, id: string, timestamp: string, body: Uint8Array): string =>
  `v1,${digestOf(secret, id, timestamp, body).toString('base64')}`

const digestOf = (secret: string, id: string, timestamp: string, body: Uint8Array): Buffer => {
  const [, key] = SECRET.exec(secret) ?? []
  if (key === undefined) throw new Error('A webhook secret is whsec_ and a key in Base64.')
  return createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.`).update(body).digest()
}

type SignedWebhook = { id: string; timestamp: string; signature: string; body: Uint8Array }

/** Whether any of the space-separated signatures verifies with any of the secrets; a rotation has two secrets. */
export const isSignedByAny = (
  secrets: readonly string[],
  { id, timestamp, signature, body }: SignedWebhook,
): boolean => {
  const sent = signature
    .split(' ')
    .flatMap(item => (item.startsWith('v1,') ? [Buffer.from(item.slice(3), 'base64')] : []))
  return secrets.some(secret => {
    const expected = digestOf(secret, id, timestamp, body)
    return sent.some(bytes => bytes.length === expected.length && timingSafeEqual(bytes, expected))
  })
}
