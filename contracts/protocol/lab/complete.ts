import type { Finding, Part } from './causes.ts'
import { expectedComponents, type Facts } from './facts.ts'
import { type Candidate, namedKeys } from './search.ts'

/** Fills in what the cure of every finding speaks of, where the finding itself does not say it. */
export const completing = (facts: Facts, keys: readonly Candidate[], expectedBase: string) => {
  const list = expectedComponents(facts.request)
    .map(name => `"${name}"`)
    .join(' ')
  const algorithms = [...new Set(namedKeys(keys, facts.input.keyId).map(({ algorithm }) => algorithm))]
  const [algorithm] = algorithms
  const expected: Partial<Record<Part, string>> = {
    components: list,
    encoding: algorithms.map(({ coordinateBytes }) => coordinateBytes).join(' / '),
    algorithm: algorithm ? `${algorithm.hash.replace('sha', 'SHA-')} (${algorithm.curve})` : '',
    last: expectedBase.split('\n').at(-1) ?? '',
    digest: facts.componentOf('content-digest'),
  }
  const shape = `service_sig=(${list});keyid="${facts.input.keyId ?? 'YOUR-KEY-ID'}";created=UNIX-SECONDS`
  return (one: Finding): Finding => {
    const usual = expected[one.part]
    return { ...one, values: { shape, ...(usual === undefined ? {} : { expected: usual }), ...one.values } }
  }
}
