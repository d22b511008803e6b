import { describeExchange, type Exchange } from '../client/http-exchange.ts'
import { withStandardHeaders } from '../harness/profile/response-fields-and-line-advice.ts'
import { DIGEST_ALGORITHMS } from '../protocol/content-digest.ts'
import { SIGNATURE_ENCODINGS } from '../protocol/ecdsa-encoding.ts'
import type { ResponseDialect } from '../protocol/match-signature-dialect.ts'
import { BASE_READINGS } from '../protocol/signature-base.ts'
import { readDictionary, UnreadableField } from '../protocol/structured-field.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { verifyResponseSignature } from '../suites/evidence/verify-response-signature.ts'
import { readKeySet, readUnknownPayment, requestToken } from '../suites/given/harmless-calls.ts'
import { type Finding, mergeProbeResults, type ProbeResult } from './probe-findings.ts'

/** Learns how responses are signed: label, reading, encoding and digest, the same in a success and in a refusal (5.4, C7). */
export const scoutResponseSignatures = async (context: CheckContext): Promise<ProbeResult> => {
  const keys = await readKeySet(context)
  const calls = [await requestToken(context), await readUnknownPayment(context)]
  const seen = calls.map(exchange => withStandardHeaders(context.profile, exchange))
  const where = calls.map(describeExchange).join(' and ')
  return mergeProbeResults([await learnSignature(seen, keys, where), learnDigest(seen, where)])
}

/** Tries every label, reading and encoding; a dialect counts that verifies all responses. */
const learnSignature = async (seen: readonly Exchange[], keys: Exchange, where: string): Promise<ProbeResult> => {
  for (const dialect of possibleDialects(seen)) {
    const results = await Promise.all(seen.map(exchange => verifiesSo(exchange, keys, dialect)))
    if (!results.every(Boolean)) continue
    const evidence = `signed so with a key of the key set: ${where}`
    return {
      found: Object.entries(dialect).map(([name, value]) => toFinding(name, value, evidence, VERIFIED_ALIKE)),
      open: [],
    }
  }
  const way = 'no one label, reading and encoding verifies with a key of the key set'
  return { found: [], open: [`responses: ${way} in ${where}`] }
}

/** Checks that verify the same responses. */
const VERIFIED_ALIKE = ['RSP-02', 'RSP-06', 'RSP-07']

const toFinding = (name: string, value: unknown, evidence: string, sameAs: readonly string[]): Finding => ({
  line: `responses.${name}`,
  value,
  evidence,
  sameAs,
})

type SignatureDialect = Required<Pick<ResponseDialect, 'label' | 'reading' | 'encoding'>>

const possibleDialects = (seen: readonly Exchange[]): SignatureDialect[] =>
  [...new Set(seen.flatMap(labelsOf))].flatMap(label =>
    BASE_READINGS.flatMap(reading => SIGNATURE_ENCODINGS.map(encoding => ({ label, reading, encoding }))),
  )

const labelsOf = ({ response }: Exchange): string[] => {
  try {
    return [...readDictionary('Signature-Input', response?.headers['signature-input'] ?? '').keys()]
  } catch (error) {
    if (error instanceof UnreadableField) return []
    throw error
  }
}

const verifiesSo = async (
  exchange: Exchange,
  keys: Exchange,
  { label, reading, encoding }: SignatureDialect,
): Promise<boolean> =>
  'hash' in (await verifyResponseSignature(exchange, keys, { label, readings: [reading], encodings: [encoding] }))

/** Learns the digest, as the strongest that all responses with a body have. */
const learnDigest = (seen: readonly Exchange[], where: string): ProbeResult => {
  const digests = seen
    .filter(({ response }) => (response?.body.length ?? 0) > 0)
    .map(({ response }) => response?.headers['content-digest']?.toLowerCase() ?? '')
  const common = DIGEST_ALGORITHMS.findLast(
    ({ name }) => digests.length > 0 && digests.every(digest => digest.includes(`${name}=`)),
  )
  return common
    ? { found: [toFinding('digest', common.name, `every Content-Digest has it: ${where}`, ['RSP-09'])], open: [] }
    : { found: [], open: [`responses.digest: none is in every Content-Digest of ${where}`] }
}
