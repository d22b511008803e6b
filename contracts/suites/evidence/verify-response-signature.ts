import type { Exchange } from '../../client/http-exchange.ts'
import { ANY_DIALECT } from '../../client/response-verifier.ts'
import { DIGEST_ALGORITHMS, describeDigestError } from '../../protocol/content-digest.ts'
import { type AcceptedResponseDialect, readSignature } from '../../protocol/match-signature-dialect.ts'
import { responseReaders } from '../../protocol/received-components.ts'
import { readSignatureInput } from '../../protocol/signature-input.ts'
import { UnreadableField } from '../../protocol/structured-field.ts'
import { type ServiceSignatureResult, verifyWithKeySet } from './verify-with-key-set.ts'

/**
 * Verifies a response signature over whatever components it lists. The document leaves open which parts are signed,
 * whether the body has a digest, how a key is named and which hash goes with its curve (5.4, D-27).
 */
export const verifyResponseSignature = async (
  { response }: Exchange,
  keys: Exchange,
  dialect: AcceptedResponseDialect = ANY_DIALECT,
): Promise<ServiceSignatureResult> => {
  if (!response) return { error: 'there is no response' }
  const { status, headers, body } = response
  const { 'signature-input': inputHeader, signature: signatureHeader } = headers
  if (inputHeader === undefined || signatureHeader === undefined) return { error: 'the response is not signed' }
  const digest = headers['content-digest'] ?? ''
  const isDigestJudged = hasKnownDigest(digest) || (digest !== '' && dialect.digest !== undefined)
  const digestError = isDigestJudged ? describeDigestError(digest, body, dialect.digest) : undefined
  if (digestError) return { error: digestError }
  try {
    const input = readSignatureInput(inputHeader, dialect.label)
    const signature = readSignature(signatureHeader, dialect.label)
    if (input.components.length === 0) return { error: 'the signature of the response covers nothing' }
    const readers = responseReaders({ status, header: name => headers[name], body })
    const strange = input.components.find(name => name.startsWith('@') && name !== '@status')
    if (strange) return { unread: `the signature of the response covers "${strange}"` }
    return await verifyWithKeySet(keys, { of: 'response', input, signature, dialect }, readers)
  } catch (error) {
    if (error instanceof UnreadableField) return { unread: error.message }
    throw error
  }
}

/** Whether a Content-Digest header holds an algorithm of 5.2; others are not judged. */
export const hasKnownDigest = (header: string): boolean =>
  DIGEST_ALGORITHMS.some(({ name }) => header.toLowerCase().includes(`${name}=`))
