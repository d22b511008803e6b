import { describeDigestError } from './content-digest.ts'
import {
  type AcceptedResponseDialect,
  matchSignature,
  readSignature,
  type SignatureMatch,
  type VerifyingKey,
} from './match-signature-dialect.ts'
import { COVERED_COMPONENTS, type ResponseParts, responseComponent } from './signature-base.ts'
import { readSignatureInput } from './signature-input.ts'
import { UnreadableField } from './structured-field.ts'

/** A received response, for signature verification; `header` takes lower-case names. */
export type ReceivedResponse = { status: number; header(name: string): string | undefined; body: Uint8Array }

/** The result of verifying a response signature: the key and dialect that matched, or the reason it was rejected. */
export type ResponseVerdict = ({ ok: true; keyId: string } & SignatureMatch) | { ok: false; message: string }

/** Verifies the signature and digest of a response (5.4) with the keys of the key set. */
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
    const wanted =
      response.body.length > 0 ? COVERED_COMPONENTS.responseWithBody : COVERED_COMPONENTS.responseWithoutBody
    const missing = wanted.find(name => !input.components.includes(name))
    if (missing) return { ok: false, message: `the response's signature does not cover "${missing}"` }
    const key = keyFor(input.keyId)
    if (!key) return { ok: false, message: `the key set has no key "${input.keyId}"` }
    const parts = toResponseParts(response, digest)
    const match = await matchSignature(
      input,
      readSignature(signatureHeader, dialect.label),
      name => responseComponent(parts, name),
      key,
      dialect,
    )
    return match
      ? { ok: true, keyId: input.keyId, ...match }
      : { ok: false, message: 'the signature of the response does not verify' }
  } catch (error) {
    if (error instanceof UnreadableField) return { ok: false, message: error.message }
    throw error
  }
}

const toResponseParts = (response: ReceivedResponse, contentDigest: string | undefined): ResponseParts => {
  const contentType = response.header('content-type')
  return {
    status: response.status,
    contentLength: response.body.length,
    ...(contentDigest === undefined ? {} : { contentDigest }),
    ...(contentType === undefined ? {} : { contentType }),
  }
}

/** Response faults that only the response signature reveals (5.4). */
export const UNTRUSTED_RESPONSE_FAULTS: readonly string[] = ['missigned', 'tampered']

/**
 * Prefix of the transactionId in a deliberately tampered response, as long as the one that it replaces; no payment id
 * has it.
 */
export const TAMPERED_ID_PREFIX = '0badc0de'
