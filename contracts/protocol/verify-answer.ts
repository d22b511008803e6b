import { contentDigestFault } from './content-digest.ts'
import { type AnswerParts, answerComponent, COMPONENTS } from './signature-base.ts'
import { readSignatureInput } from './signature-input.ts'
import { UnreadableField } from './structured-field.ts'
import { type Dialect, type Match, matchSignature, readSignature, type VerifyingKey } from './verify.ts'

export type ReceivedAnswer = { status: number; header(name: string): string | undefined; body: Uint8Array }

export type AnswerVerdict = ({ ok: true; keyId: string } & Match) | { ok: false; message: string }

/** Judges the signature of an answer (5.4) with the keys of the key set. */
export const verifyAnswer = async (
  answer: ReceivedAnswer,
  keyFor: (keyId: string) => VerifyingKey | undefined,
  dialect: Dialect,
): Promise<AnswerVerdict> => {
  const [inputHeader, signatureHeader] = [answer.header('signature-input'), answer.header('signature')]
  if (inputHeader === undefined || signatureHeader === undefined)
    return { ok: false, message: 'the answer is not signed' }
  const digest = answer.header('content-digest')
  if (digest === undefined && answer.body.length > 0)
    return { ok: false, message: 'the answer has a body and no Content-Digest' }
  const digestFault = digest === undefined ? undefined : contentDigestFault(digest, answer.body)
  if (digestFault) return { ok: false, message: digestFault }
  try {
    const input = readSignatureInput(inputHeader)
    const wanted = answer.body.length > 0 ? COMPONENTS.answerWithBody : COMPONENTS.answerWithoutBody
    const missing = wanted.find(name => !input.components.includes(name))
    if (missing) return { ok: false, message: `the answer's signature does not cover "${missing}"` }
    const key = keyFor(input.keyId)
    if (!key) return { ok: false, message: `the key set has no key "${input.keyId}"` }
    const parts = answerParts(answer, digest)
    const match = await matchSignature(
      input,
      readSignature(signatureHeader),
      name => answerComponent(parts, name),
      key,
      dialect,
    )
    return match
      ? { ok: true, keyId: input.keyId, ...match }
      : { ok: false, message: 'the signature of the answer does not verify' }
  } catch (error) {
    if (error instanceof UnreadableField) return { ok: false, message: error.message }
    throw error
  }
}

const answerParts = (answer: ReceivedAnswer, contentDigest: string | undefined): AnswerParts => {
  const contentType = answer.header('content-type')
  return {
    status: answer.status,
    contentLength: answer.body.length,
    ...(contentDigest === undefined ? {} : { contentDigest }),
    ...(contentType === undefined ? {} : { contentType }),
  }
}
