import { createPublicKey } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { algorithmNamed } from '../../../contracts/protocol/algorithms.ts'
import type { RefusalName } from '../../../contracts/protocol/reason-codes.ts'
import type { Reading } from '../../../contracts/protocol/signature-base.ts'
import type { Dialect, VerifyingKey } from '../../../contracts/protocol/verify.ts'
import { type SignatureFault, verifyRequest } from '../../../contracts/protocol/verify-request.ts'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { Store } from '../../store/port.ts'
import { type ApiEnvironment, type Call, headerOf } from '../call.ts'

type Parts = { store: Store; clock: Clock; dialect: Dialect; maxAgeSeconds: number; maxAheadSeconds: number }

/** Which refusal each fault becomes: what the payload's digest shows is 400, every other doubt is 401 (7.1, D-11). */
const REFUSED: Readonly<Record<SignatureFault['kind'], RefusalName>> = {
  absent: 'SIGNATURE_UNREADABLE',
  unreadable: 'SIGNATURE_UNREADABLE',
  digest: 'DIGEST_REFUSED',
  mismatch: 'SIGNATURE_REFUSED',
}

/** The second layer (5.2): digest and signature, with a key of the certificate's organization. */
export const verifySignature = ({
  store,
  clock,
  dialect,
  maxAgeSeconds,
  maxAheadSeconds,
}: Parts): MiddlewareHandler<ApiEnvironment> => {
  const keyring = createKeyring(store, clock)
  return async (c, next) => {
    const { call } = c.var
    const organizationId = call.organization?.organizationId ?? ''
    const verdict = await verifyRequest(receivedRequest(call), {
      keyFor: keyId => keyring.find(organizationId, keyId),
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
    keyring.used(organizationId, keyId, reading)
    call.signature = { keyId, reading, encoding }
    await next()
  }
}

const receivedRequest = (call: Call) => ({
  method: call.incoming.method ?? '',
  target: call.incoming.url ?? '',
  host: call.incoming.headers.host ?? '',
  header: (name: string) => headerOf(call, name),
  body: call.body,
})

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Public keys by organization and keyid, parsed once; a key past its twelve months is no key any more (5.2). */
const createKeyring = (store: Store, clock: Clock) => {
  const parsed = new Map<string, VerifyingKey & { expiresAt: number }>()
  const nameOf = (organizationId: string, keyId: string) => `${organizationId}\n${keyId}`
  return {
    find: async (organizationId: string, keyId: string): Promise<VerifyingKey | undefined> => {
      const name = nameOf(organizationId, keyId)
      const key = parsed.get(name) ?? (await load(store, organizationId, keyId))
      if (!key) return undefined
      parsed.set(name, key)
      return clock.now(organizationId) < key.expiresAt ? key : undefined
    },
    used: (organizationId: string, keyId: string, reading: Reading): void => {
      const key = parsed.get(nameOf(organizationId, keyId))
      if (key) key.usualReading = reading
    },
  }
}

const load = async (store: Store, organizationId: string, keyId: string) => {
  const record = await store.signingKey(organizationId, keyId)
  return (
    record && {
      keyId,
      algorithm: algorithmNamed(record.algorithm),
      publicKey: createPublicKey(record.publicKey),
      expiresAt: record.expiresAt,
    }
  )
}
