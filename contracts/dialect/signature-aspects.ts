import type { DialectLines } from './dialect-lines.ts'

/** One property of the signatures of a deployment: what a profile says of it, and what each value means. */
export type SignatureAspect = {
  topic: 'requests' | 'responses' | 'webhooks' | 'key set'
  /** The value of the lines; undefined where they leave it open. */
  of(lines: DialectLines): string | undefined
  /** A sentence by value; for values of any text a function. */
  says: Readonly<Record<string, string>> | ((value: string) => string)
}

const READINGS = {
  literal: 'The last line of the signature base includes the label, as "@signature-params": label=(…).',
  rfc: 'The last line of the signature base leaves out the label, as RFC 9421 does.',
}
const ENCODINGS = {
  der: 'The bytes of a signature are its DER encoding.',
  raw: 'The bytes of a signature are r and s, one behind the other, as in JWS.',
}

/** Every property of signatures that a profile can name (5.2, 5.4, 6). */
export const SIGNATURE_ASPECTS: readonly SignatureAspect[] = [
  { topic: 'requests', of: ({ dialect }) => dialect?.label ?? 'service_sig', says: name => `The label is ${name}.` },
  { topic: 'requests', of: ({ dialect }) => dialect?.reading ?? 'literal', says: READINGS },
  { topic: 'requests', of: ({ dialect }) => dialect?.encoding ?? 'der', says: ENCODINGS },
  {
    topic: 'requests',
    of: ({ dialect }) => dialect?.digest ?? 'sha-256',
    says: name => `Content-Digest has ${name}.`,
  },
  {
    topic: 'requests',
    of: ({ dialect }) => dialect?.order ?? 'keyid-created',
    says: {
      'keyid-created': 'The parameter keyid stands before created.',
      'created-keyid': 'The parameter created stands before keyid.',
    },
  },
  {
    topic: 'requests',
    of: ({ dialect }) => dialect?.port ?? 'dropped',
    says: {
      dropped: '"@authority" is the host without its port.',
      kept: '"@authority" is the host with its port, unless that is the usual one.',
    },
  },
  { topic: 'responses', of: ({ responses }) => responses?.label, says: name => `The label is ${name}.` },
  { topic: 'responses', of: ({ responses }) => responses?.reading, says: READINGS },
  { topic: 'responses', of: ({ responses }) => responses?.encoding, says: ENCODINGS },
  { topic: 'responses', of: ({ responses }) => responses?.digest, says: name => `The digest of a body is ${name}.` },
  {
    topic: 'webhooks',
    of: ({ webhooks }) => webhooks?.signature,
    says: {
      rfc9421: 'A webhook is signed by the key of the service only.',
      hmac: "A webhook is signed by the endpoint's secret only.",
      both: "A webhook is signed by the key of the service and by the endpoint's secret.",
    },
  },
  {
    topic: 'key set',
    of: ({ keySet }) => (keySet?.protected ? 'protected' : 'open'),
    says: {
      protected: 'The key set is served behind certificate, token and signature.',
      open: 'The key set is served without certificate, token and signature.',
    },
  },
]

/** Returns the sentence on a property of signatures for the lines of a profile; undefined where they leave it open. */
export const signatureSentence = ({ of, says }: SignatureAspect, lines: DialectLines): string | undefined => {
  const value = of(lines)
  return value === undefined ? undefined : typeof says === 'function' ? says(value) : says[value]
}
