import type { SignatureEncoding } from '../ecdsa-encoding.ts'
import { type ParameterOrder, SIGNATURE_LABEL, writeParameters } from '../signature-input.ts'
import { type CandidateKey, selectNamedKeys } from './search-signed-base.ts'
import { expectedComponents, type SignatureBaseInputs } from './signature-base-inputs.ts'
import type { DetectedCause, SignaturePart } from './signature-error-causes.ts'

type CorrectionParts = {
  expectedBase: string
  order: ParameterOrder | undefined
  /** Encodings of a signature that the deployment accepts. */
  encodings: readonly SignatureEncoding[]
}

/** Creates a function that adds to a detected cause the values for the placeholders of its correction sentence. */
export const createAddCorrectionSentenceValues = (
  facts: SignatureBaseInputs,
  keys: readonly CandidateKey[],
  { expectedBase, order, encodings }: CorrectionParts,
) => {
  const components = expectedComponents(facts.request)
  const algorithms = [...new Set(selectNamedKeys(keys, facts.input.keyId).map(({ algorithm }) => algorithm))]
  const [algorithm] = algorithms
  const bytes = algorithms.map(({ coordinateBytes }) => coordinateBytes).join(' / ')
  const forms: Record<SignatureEncoding, string> = { der: 'DER', raw: `r and s of ${bytes} bytes each` }
  const expected: Partial<Record<SignaturePart, string>> = {
    components: components.map(name => `"${name}"`).join(' '),
    encoding: encodings.map(encoding => forms[encoding]).join(', or as '),
    algorithm: algorithm ? `${algorithm.hash.replace('sha', 'SHA-')} (${algorithm.curve})` : '',
    last: expectedBase.split('\n').at(-1) ?? '',
    digest: facts.componentOf('content-digest'),
  }
  const { keyId = 'YOUR-KEY-ID' } = facts.input
  const shape = `${SIGNATURE_LABEL}=${writeParameters(components, keyId, 'UNIX-SECONDS', order)}`
  return (one: DetectedCause): DetectedCause => {
    const usual = expected[one.part]
    return { ...one, values: { shape, ...(usual === undefined ? {} : { expected: usual }), ...one.values } }
  }
}
