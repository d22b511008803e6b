import { createHmac, timingSafeEqual } from 'node:crypto'

/** The trio of headers that Standard Webhooks names; times are UNIX seconds (6, D-100). */
export const WEBHOOK = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' } as const

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** A secret as merchants are given it: `whsec_` and the key in Base64. */
export const writeSecret = (key: Uint8Array): string => `whsec_${Buffer.from(key).toString('base64')}`

/** `v1,` and the HMAC-SHA256 over id, timestamp and the exact bytes of the body, in Base64. */
export const webhookSignature = (secret: string, id: string, timestamp: string, body: Uint8Array): string =>
  `v1,${digestOf(secret, id, timestamp, body).toString('base64')}`

const digestOf = (secret: string, id: string, timestamp: string, body: Uint8Array): Buffer => {
  const [, key] = SECRET.exec(secret) ?? []
  if (key === undefined) throw new Error('A webhook secret is whsec_ and a key in Base64.')
  return createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.`).update(body).digest()
}

type Signed = { id: string; timestamp: string; signature: string; body: Uint8Array }

/** Whether one of the signatures, separated by spaces, is by one of the secrets: during a rotation there are two. */
export const isSignedWith = (secrets: readonly string[], { id, timestamp, signature, body }: Signed): boolean => {
  const sent = signature
    .split(' ')
    .flatMap(item => (item.startsWith('v1,') ? [Buffer.from(item.slice(3), 'base64')] : []))
  return secrets.some(secret => {
    const expected = digestOf(secret, id, timestamp, body)
    return sent.some(bytes => bytes.length === expected.length && timingSafeEqual(bytes, expected))
  })
}
