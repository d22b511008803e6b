import { generateKeyPairSync, hash } from 'node:crypto'
import { nameHeaders } from '../../contracts/dialect/dialect.ts'
import { type SigningKey, type SigningOptions, signWebhook } from '../../contracts/protocol/sign-messages.ts'
import { createWebhookHmac, encodeWebhookSecret, WEBHOOK_HEADERS } from '../../contracts/protocol/webhook-hmac.ts'
import type { Message } from '../store/webhook-store.ts'
import type { Clock } from '../support/clock.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'

type MessageSigningParts = {
  clock: Clock
  /** The service's signing key, also used for responses (5.4). */
  key: SigningKey
  /** How responses and webhooks are signed where the organization's dialect does not say so. */
  dialect: Omit<SigningOptions, 'created'>
  dialects: Pick<DialectRegistry, 'of'>
}

/**
 * A function that creates the headers of a webhook message for one URL: HMAC signature and the service's signature
 * (D-100).
 */
export type SignMessage = (
  organizationId: string,
  message: Message,
  target: string,
  secrets: readonly string[],
) => Promise<Record<string, string>>

/** Creates the signer of webhook messages; dates signatures by real time, as receivers have no virtual clock. */
export const createSignMessage = ({ clock, key, dialect: usual, dialects }: MessageSigningParts): SignMessage => {
  let wrong: SigningKey | undefined
  const wrongKeyWithSameId = (): SigningKey => {
    wrong ??= { ...key, privateKey: generateKeyPairSync('ec', { namedCurve: key.algorithm.nodeCurve }).privateKey }
    return wrong
  }
  return async (organizationId, { notificationId, body: text, variation }, target, secrets) => {
    const body = Buffer.from(text)
    const seconds = Math.floor((clock.real() - (variation.staleBy ?? 0)) / 1000)
    const timestamp = String(seconds)
    const keys = variation.wrongKey ? secrets.map(deriveWrongSecret) : secrets
    const contentType = 'application/json'
    const dialect = dialects.of(organizationId)
    const how = dialect.lines.webhooks?.signature ?? 'both'
    const signed = await signWebhook({ target, contentType, body }, variation.wrongKey ? wrongKeyWithSameId() : key, {
      ...usual,
      ...dialect.lines.responses,
      created: seconds,
    })
    return {
      'content-type': contentType,
      [WEBHOOK_HEADERS.id]: notificationId,
      [WEBHOOK_HEADERS.timestamp]: timestamp,
      ...(how === 'rfc9421'
        ? {}
        : {
            [WEBHOOK_HEADERS.signature]: keys
              .map(secret => createWebhookHmac(secret, notificationId, timestamp, body))
              .join(' '),
          }),
      ...(how === 'hmac' ? {} : nameHeaders(dialect, signed)),
      ...(variation.traceparent === undefined ? {} : { traceparent: variation.traceparent }),
    }
  }
}

/** Returns a webhook secret that the receiver does not know, always the same for the right secret (wrongKey, D-102). */
const deriveWrongSecret = (secret: string): string => encodeWebhookSecret(hash('sha256', secret, 'buffer'))
