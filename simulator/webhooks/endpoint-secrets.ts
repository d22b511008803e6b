import { encodeWebhookSecret } from '../../contracts/protocol/webhook-hmac.ts'
import type { EndpointSecret } from '../store/webhook-store.ts'
import type { Ids } from '../support/ids.ts'

/** Returns the webhook secrets that are valid at an instant of the organization's clock, newest first. */
export const filterValidSecrets = (secrets: readonly EndpointSecret[], now: number): string[] =>
  secrets.filter(({ until }) => until === undefined || now < until).map(({ secret }) => secret)

/** Shortens a webhook secret to what it is known by, for whoever may not have it. */
export const shortenSecret = (secret: string): string => `${secret.slice(0, 10)}…`

/** Creates the signing secret of a webhook endpoint, of 256 bits. */
export const createEndpointSecret = (ids: Pick<Ids, 'secret'>): string =>
  encodeWebhookSecret(Buffer.concat([ids.secret(), ids.secret()].map(text => Buffer.from(text, 'base64url'))))
