import { type ParameterOrder, SIGNATURE_LABEL, writeParameters } from '../signature-input.ts'
import { type CandidateKey, selectNamedKeys } from './search-signed-base.ts'
import { expectedComponents, type SignatureBaseInputs } from './signature-base-inputs.ts'
import type { DetectedCause, SignaturePart } from './signature-error-causes.ts'

/** Creates a function that adds to a detected cause the values for the placeholders of its correction sentence. */
export const createAddCorrectionSentenceValues = (
  facts: SignatureBaseInputs,
  keys: readonly CandidateKey[],
  { expectedBase, order }: { expectedBase: string; order: ParameterOrder | undefined },
) => {
  const components = expectedComponents(facts.request)
  const algorithms = [...new Set(selectNamedKeys(keys, facts.input.keyId).map(({ algorithm }) => algorithm))]
  const [algorithm] = algorithms
  const expected: Partial<Record<SignaturePart, string>> = {
    components: components.map(name => `"${name}"`).join(' '),
    encoding: algorithms.map(({ coordinateBytes }) => coordinateBytes).join(' / '),
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
