import { type DecisionChoices, decisionChoices } from './decision-choices.ts'
import type { DialectLines } from './dialect-lines.ts'

/** The language of a deployment, as the simulator speaks it at its edge. */
export type Dialect = {
  /** Name for messages and pages. */
  name: string
  choices: DecisionChoices
  /** Life of an authorization without capture in seconds (R3, D-33); undefined where the profile does not say. */
  holdSeconds: number | undefined
}

/** Creates the dialect of these lines; without lines it is our own. */
export const createDialect = (lines: DialectLines = {}): Dialect => ({
  name: lines.name ?? 'our own',
  choices: decisionChoices(lines.decisions),
  holdSeconds: lines.limits?.holdSeconds,
})
