import type { Exchange } from '../client/http-exchange.ts'
import { writeMember } from '../dialect/json-pointer.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { profileLine } from '../harness/profile/response-fields-and-line-advice.ts'
import { showingTexts } from '../harness/report/exchange-text.ts'
import { SIGNATURE_LABEL } from '../protocol/signature-input.ts'

/** A profile line that a probe filled, with the evidence. */
export type Finding = {
  /** Dotted path, such as `errors.reasonCode`. */
  line: string
  value: unknown
  evidence: string
  /** Checks that rest on the same evidence, which therefore cannot confirm the line. */
  sameAs: readonly string[]
}

/** Result of a probe: its findings, and a sentence for each line that stays open. */
export type ProbeResult = { found: readonly Finding[]; open: readonly string[] }

/** Creates a probe result with one finding, or with one open line where the value is undefined. */
export const createProbeResult = (
  line: string,
  value: unknown,
  evidence: string,
  sameAs: readonly string[] = [],
): ProbeResult =>
  value === undefined
    ? { found: [], open: [`${line}: not seen, ${evidence}`] }
    : { found: [{ line, value, evidence, sameAs }], open: [] }

/** Joins the findings and open lines of several probes in order. */
export const mergeProbeResults = (parts: readonly ProbeResult[]): ProbeResult => ({
  found: parts.flatMap(({ found }) => found),
  open: parts.flatMap(({ open }) => open),
})

/**
 * Hides the secrets of all calls in what probes tell, and cuts long texts; a line whose value would hold a secret or a
 * long text stays open.
 */
export const hideSecretsOfProbes = ({ found, open }: ProbeResult, exchanges: readonly Exchange[]): ProbeResult => {
  const shown = showingTexts(exchanges)
  const isWhole = ({ value }: Finding): boolean => shown(JSON.stringify(value)) === JSON.stringify(value)
  const refused = found.filter(finding => !isWhole(finding))
  return {
    found: found.filter(isWhole).map(finding => ({ ...finding, evidence: shown(finding.evidence) })),
    open: [...open.map(text => shown(text)), ...refused.map(({ line }) => `${line}: ${NOT_WRITTEN}`)],
  }
}

const NOT_WRITTEN = 'what was seen holds a secret or a long text of the service, which no profile is to have'

/** Values that hold where a profile has no such line. */
const USUAL: Readonly<Record<string, unknown>> = {
  'headers.signature': 'signature',
  'headers.signatureInput': 'signature-input',
  'headers.contentDigest': 'content-digest',
  'responses.label': SIGNATURE_LABEL,
  'keySet.protected': false,
  'ids.transactionId': 'text',
}

/** Leaves out findings that say what holds without a line of the profile, but for those of lines that it has. */
export const withoutUsual = (profile: Profile, found: readonly Finding[]): Finding[] =>
  found.filter(({ line, value }) => USUAL[line] !== value || profileLine(profile, line) !== undefined)

/** Writes findings into the open lines of a profile; lines that it has already stay. */
export const applyFindings = (profile: Profile, { found }: ProbeResult): Profile => {
  const filled = structuredClone(profile)
  for (const { line, value } of found)
    if (profileLine(profile, line) === undefined) writeMember(filled, line.split('.'), value)
  return filled
}
