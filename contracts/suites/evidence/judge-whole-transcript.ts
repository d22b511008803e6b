import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { untestableEndpointReason } from '../../harness/judge/untestable-endpoint-reason.ts'
import { Inconclusive, Untestable } from '../../harness/judge/verdict-errors.ts'
import { findRefusalCode } from '../../harness/profile/response-fields-and-line-advice.ts'

/** The profile line that checks of reason codes over a whole run need (7, S23). */
export const WITH_REASON_CODES = { needs: ['errors.reasonCode'] }

type Seen = Pick<Evidence<never>, 'transcript'>

/**
 * Judges every exchange of the run that a rule applies to; throws Inconclusive where there is none. Those come last that
 * a wrong profile may explain, so that they hide no other.
 */
export const judgeEvery = (
  { transcript }: Seen,
  { profile }: Expect,
  what: string,
  isMeant: (status: number, exchange: Exchange) => boolean,
  judge: (exchange: Exchange) => void,
): void => {
  const meant = transcript.filter(exchange => exchange.response && isMeant(exchange.response.status, exchange))
  if (meant.length === 0) throw new Inconclusive(`the run has seen no ${what}`)
  const excused = new Set(meant.filter(it => untestableEndpointReason(profile, it, transcript) !== undefined))
  for (const exchange of [...meant.filter(it => !excused.has(it)), ...excused]) judge(exchange)
}

/** Creates a reader of reasonCodes; throws Untestable where the profile's pointer matches no refusal of the whole run. */
export const createReasonCodeReader = (
  { transcript }: Seen,
  { profile }: Expect,
): ((exchange: Exchange) => string | undefined) => {
  const refusals = transcript.filter(({ response }) => response && response.status >= 400)
  if (refusals.length === 0) throw new Inconclusive('the run has seen no refusal')
  if (refusals.some(exchange => findRefusalCode(profile, exchange) !== undefined))
    return exchange => findRefusalCode(profile, exchange)
  const line = 'errors.reasonCode'
  throw new Untestable(`${line} points at nothing in any refusal: correct it in ${profile.file}`, undefined, line)
}

/** Families, or exact codes, of a rule: the same for each response, or by what it is about. */
type Families = readonly string[] | ((exchange: Exchange) => readonly string[])

/**
 * Creates a check's judgment that each response of the run with one of these statuses has a code of one of these
 * families (or exact codes) (7.2).
 */
export const judgeCodeFamily =
  (statuses: readonly number[], families: Families, isMeant: (exchange: Exchange) => boolean = () => true) =>
  (evidence: Seen, expect: Expect): void => {
    const codeOf = createReasonCodeReader(evidence, expect)
    const meant = (status: number, exchange: Exchange) => statuses.includes(status) && isMeant(exchange)
    judgeEvery(evidence, expect, `answer with ${statuses.join(' or ')}`, meant, exchange => {
      const code = codeOf(exchange)
      const wanted = typeof families === 'function' ? families(exchange) : families
      const fits = code?.length === 4 && wanted.some(family => code.startsWith(family))
      expect.holds(fits, `a code of ${wanted.join(' or ')}`, expect.describeAny(exchange), exchange)
    })
  }

/** Creates a check's judgment like `judgeCodeFamily`, which passes where the run has no such response. */
export const judgeCodeFamilyIfSeen =
  (statuses: readonly number[], families: readonly string[], isMeant: (exchange: Exchange) => boolean = () => true) =>
  (evidence: Seen, expect: Expect): void => {
    const isSeen = (exchange: Exchange) => statuses.includes(exchange.response?.status ?? 0) && isMeant(exchange)
    if (evidence.transcript.some(isSeen)) judgeCodeFamily(statuses, families, isMeant)(evidence, expect)
  }
