import { describeDigestError } from './content-digest.ts'
import {
  type AcceptedResponseDialect,
  readSignature,
  type SignatureMatch,
  type VerifyingKey,
} from './match-signature-dialect.ts'
import { describeLackingComponent, matchByReaders, responseReaders } from './received-components.ts'
import { readSignatureInput } from './signature-input.ts'
import { UnreadableField } from './structured-field.ts'

/** A received response, for signature verification; `header` takes lower-case names. */
export type ReceivedResponse = { status: number; header(name: string): string | undefined; body: Uint8Array }

/** The result of verifying a response signature: the key and dialect that matched, or the reason it was rejected. */
export type ResponseVerdict = ({ ok: true; keyId: string } & SignatureMatch) | { ok: false; message: string }

/**
 * Verifies the signature and digest of a response with the keys of the key set. The document leaves its components open
 * (5.4): it may cover any, its body and status among them.
 */
export const verifyResponse = async (
  response: ReceivedResponse,
  keyFor: (keyId: string) => VerifyingKey | undefined,
  dialect: AcceptedResponseDialect,
): Promise<ResponseVerdict> => {
  const [inputHeader, signatureHeader] = [response.header('signature-input'), response.header('signature')]
  if (inputHeader === undefined || signatureHeader === undefined)
    return { ok: false, message: 'the response is not signed' }
  const digest = response.header('content-digest')
  if (digest === undefined && response.body.length > 0)
    return { ok: false, message: 'the response has a body and no Content-Digest' }
  const digestError = digest === undefined ? undefined : describeDigestError(digest, response.body, dialect.digest)
  if (digestError) return { ok: false, message: digestError }
  try {
    const input = readSignatureInput(inputHeader, dialect.label)
    const wanted = response.body.length > 0 ? ['content-digest', '@status'] : ['@status']
    const missing = wanted.find(name => !input.components.includes(name))
    if (missing) return { ok: false, message: `the response's signature does not cover "${missing}"` }
    const key = keyFor(input.keyId)
    if (!key) return { ok: false, message: `the key set has no key "${input.keyId}"` }
    const readers = responseReaders(response)
    const match = await matchByReaders(input, readSignature(signatureHeader, dialect.label), readers, key, dialect)
    if (match) return { ok: true, keyId: input.keyId, ...match }
    const lacking = describeLackingComponent(input, readers, 'response')
    return { ok: false, message: `the signature of the response does not verify${lacking}` }
  } catch (error) {
    if (error instanceof UnreadableField) return { ok: false, message: error.message }
    throw error
  }
}

/** Response faults that only the response signature reveals (5.4). */
export const UNTRUSTED_RESPONSE_FAULTS: readonly string[] = ['missigned', 'tampered']

/**
 * Prefix of the transactionId in a deliberately tampered response, as long as the one that it replaces; no payment id
 * has it.
 */
export const TAMPERED_ID_PREFIX = '0badc0de'
