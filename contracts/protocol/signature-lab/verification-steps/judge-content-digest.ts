import { hash } from 'node:crypto'
import { contentDigest, DIGEST_ALGORITHMS, describeDigestError } from '../../content-digest.ts'
import { readHeaderValue } from '../lab-request.ts'
import { digestFunctionOf, hasBody, type SignatureBaseInputs } from '../signature-base-inputs.ts'
import { type DetectedCause, detectedCause } from '../signature-error-causes.ts'

/**
 * Judges Content-Digest for the signature lab, and finds what was hashed in place of the body; undefined where it is
 * correct.
 */
export const judgeDigest = (facts: SignatureBaseInputs): DetectedCause | undefined => {
  const { request } = facts
  const header = readHeaderValue(request, 'content-digest')
  if (request.bodyIsPartial) return undefined
  const expected = contentDigest(request.body, digestFunctionOf(request).name)
  if (header === undefined) return hasBody(request) ? detectedCause('digest-missing', { expected }) : undefined
  const fault = describeDigestError(header, request.body)
  if (fault === undefined) return undefined
  return recogniseDigest(facts, header, expected) ?? detectedCause('digest-unreadable', { detail: fault, expected })
}

const recogniseDigest = (facts: SignatureBaseInputs, header: string, expected: string): DetectedCause | undefined => {
  const [, name = '', opening, text = ''] = /^\s*([\w-]+)\s*=\s*(:?)([^:,;\s]*)/.exec(header) ?? []
  const claimed = text === '' ? header.trim() : text
  const body = Buffer.from(facts.request.body)
  const spelling = wrongEncodingOf(claimed, body)
  if (spelling) return detectedCause(spelling, { expected })
  const bytes = Buffer.from(claimed, 'base64').toString('base64')
  const other = DIGEST_ALGORITHMS.find(row => hash(row.hash, body, 'base64') === bytes)
  if (other && name.toLowerCase() === other.name && name !== other.name)
    return detectedCause('digest-old-header', { expected })
  if (other && opening === '') return detectedCause('digest-bare', { expected })
  if (other && other.name !== name)
    return detectedCause('digest-function', { function: other.hash.toUpperCase(), expected })
  for (const { cause, bytes: form, text: stand = '' } of facts.bodyForms)
    if (DIGEST_ALGORITHMS.some(row => hash(row.hash, form, 'base64') === bytes))
      return detectedCause(cause, { text: stand, expected })
  const old = ['sha1', 'md5'].find(function_ => hash(function_, body, 'base64') === bytes)
  if (old) return detectedCause('digest-function', { function: old.toUpperCase(), expected })
  return opening === ':' && DIGEST_ALGORITHMS.some(row => row.name === name)
    ? detectedCause('digest-other', { expected })
    : undefined
}

/** The cause where a value is the correct digest in a wrong encoding, hexadecimal or Base64url; else undefined. */
const wrongEncodingOf = (claimed: string, body: Buffer) => {
  for (const { hash: function_ } of DIGEST_ALGORITHMS) {
    const digest = hash(function_, body, 'buffer')
    const hex = digest.toString('hex')
    if (claimed.toLowerCase() === hex || claimed === Buffer.from(hex).toString('base64')) return 'digest-hex'
    const [url, plain] = [digest.toString('base64url'), digest.toString('base64')]
    if (claimed.replaceAll('=', '') === url && claimed !== plain) return 'digest-url'
  }
}
