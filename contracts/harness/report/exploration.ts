import { EXIT_CODES } from './exit-codes.ts'

/** Result of `assay certify explore`, as a report and its certificate tell it beside the checks. */
export type Exploration = {
  seed: number
  calls: number
  sequences: number
  /** Sequences of which the last steps were not judged, as too many states explained them; absent where there are none. */
  judgedInPart?: number
  /** Transitions of the lifecycle: how many were visited, of how many. */
  visited: number
  transitions: number
  /** Why it ended before its last call, if it did. */
  stopped?: string
  /** Violations that showed and were not confirmed, as by an early end; absent where there are none. */
  unconfirmed?: number
  violations: readonly ExploredViolation[]
}

/** A violation that exploration found: a sequence of calls that the contract does not permit. */
export type ExploredViolation = {
  clauses: readonly string[]
  /** The counterexample in words, line by line. */
  story: readonly string[]
  /** How many of so many replays showed it. */
  shown: number
  replays: number
}

/** Returns one line that says what an exploration showed. */
export const explorationText = (explored: Exploration): string => {
  const { seed, calls, visited, transitions, violations, stopped, judgedInPart = 0, unconfirmed = 0 } = explored
  const found = violations.length === 0 ? noViolationText(unconfirmed) : violations.map(violationTitle).join('; ')
  const early = stopped === undefined ? '' : `; stopped early: ${stopped}`
  const short = judgedInPart > 0 ? `; ${judgedInPartText(judgedInPart)}` : ''
  return `Explored by seed ${seed}: ${calls} calls, ${visitedText({ visited, transitions })}, ${found}${short}${early}`
}

/** Returns words that say what an exploration found that confirmed no violation. */
export const noViolationText = (unconfirmed: number): string =>
  unconfirmed > 0 ? 'a suspicion that was not confirmed' : 'no violation'

/** Returns words that say how much of the lifecycle was visited, and how much was not, of which nothing is said. */
export const visitedText = ({ visited, transitions }: Pick<Exploration, 'visited' | 'transitions'>): string =>
  `${visited} of ${transitions} transitions visited${visited < transitions ? `, ${transitions - visited} not reached` : ''}`

/** Returns words that say how many sequences were judged in part only, and why. */
export const judgedInPartText = (count: number): string =>
  `${count} ${count === 1 ? 'sequence was' : 'sequences were'} judged in part only, as too many states explain the responses`

/** Returns the title of an explored violation: its clauses and how often it shows. */
export const violationTitle = ({ clauses, shown, replays }: ExploredViolation): string =>
  `violation of ${clauses.join(', ')}, which ${shown} of ${replays} replays show`

/** Adds the result of an exploration to a report; a violation fails it. */
export const withExploration = <Report extends { summary: { exitCode: number } }>(
  report: Report,
  explored: Exploration | undefined,
): Report & { explored?: Exploration } => {
  if (!explored) return report
  const exitCode = explored.violations.length > 0 ? EXIT_CODES.failed : report.summary.exitCode
  return { ...report, explored, summary: { ...report.summary, exitCode } }
}
