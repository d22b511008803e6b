import { UsageError } from '../harness/run/command-errors.ts'
import { isJsonObject } from '../protocol/canonical-json.ts'
import { parseJson } from '../protocol/parse-json-keeping-big-integers.ts'
import type { Step } from './step.ts'

/** Version of the form of a replay file. */
const FORMAT = 1

/** Writes a sequence as the text of a file for `explore --replay`. */
export const toReplayFile = (steps: readonly Step[]): string =>
  `{ "format": ${FORMAT}, "steps": [\n${steps.map(step => `  ${JSON.stringify(step)}`).join(',\n')}\n] }\n`

/** Parses a file that `toReplayFile` has written; throws a UsageError for any other. */
export const parseReplayFile = (file: string, text: string): Step[] => {
  const steps = stepsIn(text)
  if (steps?.every(step => isJsonObject(step) && typeof step.id === 'string' && typeof step.do === 'string'))
    return steps as Step[]
  throw new UsageError(`${file} holds no sequence of format ${FORMAT}: name a file that explore has written.`)
}

const stepsIn = (text: string): unknown[] | undefined => {
  try {
    const data = parseJson(text)
    return isJsonObject(data) && data.format === FORMAT && Array.isArray(data.steps) ? data.steps : undefined
  } catch {
    return undefined
  }
}
