import fc from 'fast-check'

const READINGS = fc.constantFrom('literal' as const, 'rfc' as const)
const ENCODINGS = fc.constantFrom('der' as const, 'raw' as const)
const DIGESTS = fc.constantFrom('sha-256' as const, 'sha-384' as const, 'sha-512' as const)

/** fast-check arbitrary of ways in which a generated dialect signs requests (5.2). */
export const generateRequestSignatures = fc.record(
  {
    reading: READINGS,
    encoding: ENCODINGS,
    digest: DIGESTS,
    order: fc.constantFrom('keyid-created' as const, 'created-keyid' as const),
    port: fc.constantFrom('dropped' as const, 'kept' as const),
  },
  { requiredKeys: ['reading', 'encoding'] },
)

/** fast-check arbitrary of ways in which a generated dialect signs responses and webhooks (5.4). */
export const generateResponseSignatures = fc.record(
  { label: fc.constantFrom('answer', 'sig1'), reading: READINGS, encoding: ENCODINGS, digest: DIGESTS },
  { requiredKeys: [] },
)

const HEADERS = { signature: 'X-Sig', signatureInput: 'X-Sig-Input', contentDigest: 'X-Digest' }

/** fast-check arbitrary of names of the headers that sign a response in a generated dialect. */
export const generateHeaders = fc
  .subarray(Object.keys(HEADERS) as (keyof typeof HEADERS)[])
  .map(names => Object.fromEntries(names.map(name => [name, HEADERS[name]])))
