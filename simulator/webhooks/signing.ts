import { generateKeyPairSync, hash } from 'node:crypto'
import { type SigningKey, type SigningOptions, signWebhook } from '../../contracts/protocol/sign.ts'
import { WEBHOOK, webhookSignature, writeSecret } from '../../contracts/protocol/webhook-signature.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Secret, Sending } from './notification.ts'

export type Signing = {
  clock: Clock
  /** The service's own key, by which answers are signed too (5.4). */
  key: () => SigningKey
  dialect: Omit<SigningOptions, 'created'>
}

/** Signs a sending for one address: the HMAC trio and the service's own signature (D-100). */
export type SignSending = (
  sending: Sending,
  target: string,
  secrets: readonly string[],
) => Promise<Record<string, string>>

/** Everything is dated by real time: merchants do not travel. */
export const createSignSending = ({ clock, key, dialect }: Signing): SignSending => {
  let stranger: SigningKey | undefined
  const strangerWithSameId = (): SigningKey => {
    const own = key()
    stranger ??= { ...own, privateKey: generateKeyPairSync('ec', { namedCurve: own.algorithm.nodeCurve }).privateKey }
    return stranger
  }
  return async ({ notificationId, body: text, variant }, target, secrets) => {
    const body = Buffer.from(text)
    const seconds = Math.floor((clock.real() - (variant.staleBy ?? 0)) / 1000)
    const timestamp = String(seconds)
    const keys = variant.wrongKey ? secrets.map(unknownSecret) : secrets
    const contentType = 'application/json'
    const signed = await signWebhook({ target, contentType, body }, variant.wrongKey ? strangerWithSameId() : key(), {
      ...dialect,
      created: seconds,
    })
    return {
      'content-type': contentType,
      [WEBHOOK.id]: notificationId,
      [WEBHOOK.timestamp]: timestamp,
      [WEBHOOK.signature]: keys.map(secret => webhookSignature(secret, notificationId, timestamp, body)).join(' '),
      ...signed,
    }
  }
}

/** The secrets that hold at an instant of the organization's clock, the newest first. */
export const validSecrets = (secrets: readonly Secret[], now: number): string[] =>
  secrets.filter(({ until }) => until === undefined || now < until).map(({ secret }) => secret)

/** A fresh secret: 256 bits. */
export const newSecret = (ids: Pick<Ids, 'secret'>): string =>
  writeSecret(Buffer.concat([ids.secret(), ids.secret()].map(text => Buffer.from(text, 'base64url'))))

/** A secret that is nobody's, and the same every time. */
const unknownSecret = (secret: string): string => writeSecret(hash('sha256', secret, 'buffer'))
