import type { Exchange, WireAnswer } from '../client/exchange.ts'
import { EITHER, membersOf, readKey } from '../client/key-set.ts'
import { ALGORITHMS, type Algorithm } from '../protocol/algorithms.ts'
import { contentDigestFault, DIGESTS } from '../protocol/content-digest.ts'
import { mediaTypeOf } from '../protocol/signature-base.ts'
import { readSignatureInput, type SignatureInput } from '../protocol/signature-input.ts'
import { UnreadableField } from '../protocol/structured-field.ts'
import { matchSignature, readSignature } from '../protocol/verify.ts'

/** `hash` is the one under the signature; `unread` says why nobody here can tell whether it is a good one. */
export type Covered = { hash: Algorithm['hash'] } | { unread: string } | { fault: string }

/**
 * Verifies what the signature of an answer covers, whatever that is: which parts of an answer are signed, whether its body
 * has a digest, how a key is named and which hash goes with its curve the document leaves open (5.4, D-27).
 */
export const verifyCovered = async ({ answer }: Exchange, keys: Exchange): Promise<Covered> => {
  if (!answer) return { fault: 'there is no answer' }
  const { 'signature-input': inputHeader, signature: signatureHeader } = answer.headers
  if (inputHeader === undefined || signatureHeader === undefined) return { fault: 'the answer is not signed' }
  const digest = answer.headers['content-digest'] ?? ''
  const digestFault = isDigest(digest) ? contentDigestFault(digest, answer.body) : undefined
  if (digestFault) return { fault: digestFault }
  try {
    const [input, signature] = [readSignatureInput(inputHeader), readSignature(signatureHeader)]
    if (input.components.length === 0) return { fault: 'the signature of the answer covers nothing' }
    const strange = input.components.find(name => name.startsWith('@') && name !== '@status')
    if (strange) return { unread: `the signature of the answer covers "${strange}"` }
    return await verifiedBy(membersOf(keys).map(readKey), input, signature, answer)
  } catch (error) {
    if (error instanceof UnreadableField) return { unread: error.message }
    throw error
  }
}

/** Whether a header holds a digest that 5.2 knows; another one nobody here can judge. */
export const isDigest = (header: string): boolean =>
  DIGESTS.some(({ name }) => header.toLowerCase().includes(`${name}=`))

const verifiedBy = async (
  keys: readonly ReturnType<typeof readKey>[],
  input: SignatureInput,
  signature: Buffer,
  answer: WireAnswer,
): Promise<Covered> => {
  const readable = keys.filter(key => key !== undefined)
  const others = keys.length - readable.length
  for (const { algorithm, publicKey } of readable)
    for (const hash of hashesOf(algorithm))
      for (const read of [mediaTypeOf, (contentType: string) => contentType]) {
        const key = { keyId: input.keyId, algorithm: { ...algorithm, hash } as Algorithm, publicKey }
        if (await matchSignature(input, signature, name => componentOf(answer, name, read), key, EITHER))
          return { hash }
      }
  return others > 0
    ? { unread: `${others} of its public keys are no EC keys` }
    : { fault: 'the signature of the answer does not verify with any key of the key set' }
}

/** The hash of the curve first (5.2 asks it of requests), then any other. */
const hashesOf = ({ hash }: Algorithm): Algorithm['hash'][] => [
  hash,
  ...ALGORITHMS.map(row => row.hash).filter(other => other !== hash),
]

const componentOf = (answer: WireAnswer, name: string, read: (contentType: string) => string): string | undefined => {
  if (name === '@status') return String(answer.status)
  const value = answer.headers[name]?.trim()
  if (name === 'content-length') return value ?? String(answer.body.length)
  return name === 'content-type' && value !== undefined ? read(value) : value
}
