import type { CheckResult, Verdict } from '../judge/check.ts'
import { EXCLUDING } from './excluded-checks.ts'
import type { RunReport } from './run-report.ts'

const NOT_PROMISED: readonly Verdict[] = EXCLUDING
const NOT_JUDGED: readonly Verdict[] = ['blocked', 'untestable', 'inconclusive', 'harness error']

/** Profile lines to name: those that would cure most. */
const MOST_LINES = 2

/**
 * Returns the warning on how many applicable checks were not judged, and which one or two profile lines would cure
 * most; undefined where all were.
 */
export const unjudgedText = ({ checks, profile, tier }: RunReport): string | undefined => {
  const promised = checks.filter(({ verdict }) => !NOT_PROMISED.includes(verdict))
  const open = promised.filter(({ verdict }) => NOT_JUDGED.includes(verdict))
  if (open.length === 0) return undefined
  const [first, ...others] = countByLine(open).slice(0, MOST_LINES)
  const fact = `Not judged: ${open.length} of the ${promised.length} checks that apply at tier ${tier}`
  if (!first) return fact
  const cures = [`${first[0]} makes ${first[1]} of them testable`, ...others.map(([line, count]) => `${line} ${count}`)]
  return `${fact}; in ${profile.file} the line ${cures.join(', ')}`
}

/**
 * Returns the sentence on how many checks a run left out by its own limits and by its profile; undefined where it left
 * none out.
 */
export const excludedText = ({ summary }: Pick<RunReport, 'summary'>): string | undefined => {
  const { withheld, 'not applicable': lacking } = summary.counts
  const parts = [
    ...(withheld > 0 ? [`${countOf(withheld)} beyond the tier or the patience of this run`] : []),
    ...(lacking > 0 ? [`${countOf(lacking)} that the profile or its target excludes`] : []),
  ]
  return parts.length === 0 ? undefined : `Left out: ${parts.join(', ')}`
}

const countOf = (count: number): string => `${count} check${count === 1 ? '' : 's'}`

/** Counts the results that wait for each profile line, most first. */
const countByLine = (results: readonly CheckResult[]): [line: string, count: number][] => {
  const groups = Map.groupBy(results, ({ line }) => line)
  return [...groups]
    .flatMap(([line, members]): [string, number][] => (line === undefined ? [] : [[line, members.length]]))
    .sort(([, one], [, other]) => other - one)
}

/** Returns the sentence on how many checks differ and what to do about them; undefined where none does. */
export const differingText = ({ summary, profile }: RunReport): string | undefined => {
  const { counts, strict } = summary
  if (counts.differs === 0) return undefined
  const which = `${counts.differs} of ${summary.chosen} checks differ from decisions that ${profile.file} does not confirm`
  return strict
    ? `${which}, which --strict counts as failed: confirm those that hold here, or have the service mended`
    : `${which}: confirm those that hold here, list under notApplicable those of what is decided otherwise, or count them as failed with --strict`
}
