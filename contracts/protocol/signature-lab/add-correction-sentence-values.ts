import { type CandidateKey, selectNamedKeys } from './search-signed-base.ts'
import { expectedComponents, type SignatureBaseInputs } from './signature-base-inputs.ts'
import type { DetectedCause, SignaturePart } from './signature-error-causes.ts'

/** Creates a function that adds to a detected cause the values for the placeholders of its correction sentence. */
export const createAddCorrectionSentenceValues = (
  facts: SignatureBaseInputs,
  keys: readonly CandidateKey[],
  expectedBase: string,
) => {
  const list = expectedComponents(facts.request)
    .map(name => `"${name}"`)
    .join(' ')
  const algorithms = [...new Set(selectNamedKeys(keys, facts.input.keyId).map(({ algorithm }) => algorithm))]
  const [algorithm] = algorithms
  const expected: Partial<Record<SignaturePart, string>> = {
    components: list,
    encoding: algorithms.map(({ coordinateBytes }) => coordinateBytes).join(' / '),
    algorithm: algorithm ? `${algorithm.hash.replace('sha', 'SHA-')} (${algorithm.curve})` : '',
    last: expectedBase.split('\n').at(-1) ?? '',
    digest: facts.componentOf('content-digest'),
  }
  const shape = `service_sig=(${list});keyid="${facts.input.keyId ?? 'YOUR-KEY-ID'}";created=UNIX-SECONDS`
  return (one: DetectedCause): DetectedCause => {
    const usual = expected[one.part]
    return { ...one, values: { shape, ...(usual === undefined ? {} : { expected: usual }), ...one.values } }
  }
}
