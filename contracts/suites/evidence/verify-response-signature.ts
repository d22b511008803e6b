import type { Exchange } from '../../client/http-exchange.ts'
import { ANY_DIALECT } from '../../client/response-verifier.ts'
import { readJwks, toVerifyingKey } from '../../client/service-key-set.ts'
import { DIGEST_ALGORITHMS, describeDigestError } from '../../protocol/content-digest.ts'
import { type AcceptedResponseDialect, readSignature } from '../../protocol/match-signature-dialect.ts'
import { type ComponentReader, matchByReaders, responseReaders } from '../../protocol/received-components.ts'
import { ALGORITHMS, type Algorithm } from '../../protocol/signature-algorithms.ts'
import { readSignatureInput, type SignatureInput } from '../../protocol/signature-input.ts'
import { UnreadableField } from '../../protocol/structured-field.ts'

/**
 * The result of verifying a response signature: its hash function, or the reason why it cannot be judged (`unread`) or
 * does not verify (`error`).
 */
type ResponseSignatureResult = { hash: Algorithm['hash'] } | { unread: string } | { error: string }

/**
 * Verifies a response signature over whatever components it lists. The document leaves open which parts are signed,
 * whether the body has a digest, how a key is named and which hash goes with its curve (5.4, D-27).
 */
export const verifyResponseSignature = async (
  { response }: Exchange,
  keys: Exchange,
  dialect: AcceptedResponseDialect = ANY_DIALECT,
): Promise<ResponseSignatureResult> => {
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
    return await verifiedBy(readJwks(keys).map(toVerifyingKey), { input, signature, dialect }, readers)
  } catch (error) {
    if (error instanceof UnreadableField) return { unread: error.message }
    throw error
  }
}

/** Whether a Content-Digest header holds an algorithm of 5.2; others are not judged. */
export const hasKnownDigest = (header: string): boolean =>
  DIGEST_ALGORITHMS.some(({ name }) => header.toLowerCase().includes(`${name}=`))

const verifiedBy = async (
  keys: readonly ReturnType<typeof toVerifyingKey>[],
  { input, signature, dialect }: { input: SignatureInput; signature: Buffer; dialect: AcceptedResponseDialect },
  readers: readonly ComponentReader[],
): Promise<ResponseSignatureResult> => {
  const readable = keys.filter(key => key !== undefined)
  const others = keys.length - readable.length
  for (const { algorithm, publicKey } of readable)
    for (const hash of hashesOf(algorithm)) {
      const key = { keyId: input.keyId, algorithm: { ...algorithm, hash } as Algorithm, publicKey }
      if (await matchByReaders(input, signature, readers, key, dialect)) return { hash }
    }
  return others > 0
    ? { unread: `${others} of its public keys are no EC keys` }
    : { error: 'the signature of the response does not verify with any key of the key set' }
}

/** Returns the hashes to try for a key: that of its curve first (5.2 requires it of requests), then the others. */
const hashesOf = ({ hash }: Algorithm): Algorithm['hash'][] => [
  hash,
  ...ALGORITHMS.map(row => row.hash).filter(other => other !== hash),
]
