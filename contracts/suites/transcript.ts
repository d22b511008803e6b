import type { Exchange } from '../client/exchange.ts'
import type { Evidence } from '../harness/evidence.ts'
import type { Expect } from '../harness/expect.ts'
import { Inconclusive, Open } from '../harness/signals.ts'
import { reasonCodeOf } from '../harness/slots.ts'

/** What checks need that look for reason codes in all answers of a run (7; S23). */
export const WITH_CODES = { needs: ['errors.reasonCode'] }

type Seen = Pick<Evidence<never>, 'transcript'>

/** Judges every exchange of the run that a rule is about; a run without one tells nothing. */
export const every = (
  { transcript }: Seen,
  what: string,
  isMeant: (status: number, exchange: Exchange) => boolean,
  judge: (exchange: Exchange) => void,
): void => {
  const meant = transcript.filter(exchange => exchange.answer && isMeant(exchange.answer.status, exchange))
  if (meant.length === 0) throw new Inconclusive(`the run has seen no ${what}`)
  for (const exchange of meant) judge(exchange)
}

/** The code in an answer; a pointer that finds none in the whole run is a fault of the profile, not of the service. */
export const codesOf = ({ transcript }: Seen, { profile }: Expect): ((exchange: Exchange) => string | undefined) => {
  const refusals = transcript.filter(({ answer }) => answer && answer.status >= 400)
  if (refusals.length === 0) throw new Inconclusive('the run has seen no refusal')
  if (refusals.some(exchange => reasonCodeOf(profile, exchange) !== undefined))
    return exchange => reasonCodeOf(profile, exchange)
  throw new Open(`errors.reasonCode points at nothing in any refusal: correct it in ${profile.file}`)
}

/** Each answer with one of these statuses carries a code of one of these families, or this very code (7.2). */
export const familyOf =
  (statuses: readonly number[], families: readonly string[], isMeant: (exchange: Exchange) => boolean = () => true) =>
  (evidence: Seen, expect: Expect): void => {
    const codeOf = codesOf(evidence, expect)
    const meant = (status: number, exchange: Exchange) => statuses.includes(status) && isMeant(exchange)
    every(evidence, `answer with ${statuses.join(' or ')}`, meant, exchange => {
      const code = codeOf(exchange)
      const fits = code?.length === 4 && families.some(family => code.startsWith(family))
      expect.holds(fits, `a code of ${families.join(' or ')}`, expect.described(exchange), exchange)
    })
  }

/** The same where the run may well have seen no such answer. */
export const familyOfAny =
  (statuses: readonly number[], families: readonly string[], isMeant: (exchange: Exchange) => boolean = () => true) =>
  (evidence: Seen, expect: Expect): void => {
    const isSeen = (exchange: Exchange) => statuses.includes(exchange.answer?.status ?? 0) && isMeant(exchange)
    if (evidence.transcript.some(isSeen)) familyOf(statuses, families, isMeant)(evidence, expect)
  }
