import type { RefusalName } from '../../../contracts/protocol/reason-codes.ts'
import type { Dialect } from '../../../contracts/protocol/verify.ts'
import { type SignatureFault, verifyRequest } from '../../../contracts/protocol/verify-request.ts'
import { type Clock, isoTime } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import { type Call, headerOf, type Layer } from '../call.ts'
import type { KnownKey, Trust } from '../trust.ts'

type Parts = { trust: Trust; clock: Clock; dialect: Dialect; maxAgeSeconds: number; maxAheadSeconds: number }

/** Which refusal each fault becomes: what the payload's digest shows is 400, every other doubt is 401 (7.1, D-11). */
const REFUSED: Readonly<Record<SignatureFault['kind'], RefusalName>> = {
  absent: 'SIGNATURE_UNREADABLE',
  unreadable: 'SIGNATURE_UNREADABLE',
  digest: 'DIGEST_REFUSED',
  mismatch: 'SIGNATURE_REFUSED',
}

/** The second layer (5.2): digest and signature, with a key of the certificate's organization. */
export const verifySignature =
  ({ trust, clock, dialect, maxAgeSeconds, maxAheadSeconds }: Parts): Layer =>
  async call => {
    const organizationId = call.organization?.organizationId ?? ''
    let key: KnownKey | undefined
    const verdict = await verifyRequest(receivedRequest(call), {
      keyFor: async keyId => {
        key = await trust.key(organizationId, keyId)
        return requireUsable(key, clock.now(organizationId))
      },
      dialect,
      nowSeconds: Math.floor(clock.real() / 1000),
      maxAgeSeconds,
      maxAheadSeconds,
    })
    if (!verdict.ok) {
      const { kind, message, expectedBase, keyId } = verdict
      const diagnosis = {
        ...(keyId === undefined ? {} : { keyId }),
        ...(expectedBase === undefined ? {} : { expectedBase }),
      }
      throw new Refusal(REFUSED[kind], 'signature', sentence(message), { diagnosis })
    }
    const { keyId, reading, encoding } = verdict
    if (key) key.usualReading = reading
    call.signature = { keyId, reading, encoding }
  }

const receivedRequest = (call: Call) => ({
  method: call.incoming.method ?? '',
  target: call.incoming.url ?? '',
  host: call.incoming.headers.host ?? '',
  header: (name: string) => headerOf(call, name),
  body: call.body,
})

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** A key counts from its registration until it is deregistered, and for twelve months at most (5.2). */
const requireUsable = (key: KnownKey | undefined, now: number): KnownKey | undefined => {
  if (key?.isDeregistered) throw refuse(key, 'was deregistered: sign with one that is registered')
  if (key && now >= key.expiresAt) throw refuse(key, `expired on ${isoTime(key.expiresAt)}: register a new one`)
  return key
}

const refuse = ({ keyId }: KnownKey, why: string): Refusal =>
  new Refusal('SIGNATURE_REFUSED', 'signature', `The signing key ${keyId} ${why} (5.2).`, {
    diagnosis: { keyId, ended: 'yes' },
  })
