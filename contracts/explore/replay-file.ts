import { UsageError } from '../harness/run/command-errors.ts'
import { isJsonObject } from '../protocol/canonical-json.ts'
import { parseJson } from '../protocol/parse-json-keeping-big-integers.ts'
import { PROVIDER_IDS, TRANSACTION_TYPES } from '../protocol/providers-and-capabilities.ts'
import { INVALID_REQUESTS } from './invalid-requests.ts'
import { CHANGED_MEMBERS } from './members-that-repeated-calls-change.ts'
import { FAULT_KINDS } from './provider-faults.ts'
import { danglingStep, STEP_KINDS, type Step } from './step.ts'

/** Version of the form of a replay file. */
const FORMAT = 1

/** Writes a sequence as the text of a file for `explore --replay`. */
export const toReplayFile = (steps: readonly Step[]): string =>
  `{ "format": ${FORMAT}, "steps": [\n${steps.map(step => `  ${JSON.stringify(step)}`).join(',\n')}\n] }\n`

/** Values of the members of a step that explore must know to play it. */
const KNOWN: Readonly<Partial<Record<keyof Step, readonly unknown[]>>> = {
  do: STEP_KINDS,
  method: PROVIDER_IDS,
  type: TRANSACTION_TYPES,
  wrong: Object.keys(INVALID_REQUESTS),
  fault: Object.keys(FAULT_KINDS),
  change: CHANGED_MEMBERS,
}

/** Parses a file that `toReplayFile` has written; throws a UsageError for any other, and for one that cannot be played. */
export const parseReplayFile = (file: string, text: string): Step[] => {
  const steps = stepsIn(text)
  if (!steps?.every(isStep))
    throw new UsageError(`${file} holds no sequence of format ${FORMAT}: name a file that explore has written.`)
  const why = steps.length === 0 ? 'holds no step' : (steps.flatMap(unknownMembers)[0] ?? whyDangling(steps))
  if (why !== undefined) throw new UsageError(`${file} ${why}: name a file that explore has written.`)
  return steps
}

const isStep = (step: unknown): step is Step =>
  isJsonObject(step) && typeof step.id === 'string' && typeof step.do === 'string'

const unknownMembers = (step: Step): string[] =>
  (Object.entries(KNOWN) as [keyof Step, readonly unknown[]][]).flatMap(([name, values]) =>
    step[name] === undefined || values.includes(step[name])
      ? []
      : `has in step ${step.id} an unknown ${name}, ${JSON.stringify(step[name])}`,
  )

const whyDangling = (steps: readonly Step[]): string | undefined => {
  const dangling = danglingStep(steps)
  return dangling && `has in step ${dangling.step.id} the name of a step that does not come before it, ${dangling.name}`
}

const stepsIn = (text: string): unknown[] | undefined => {
  try {
    const data = parseJson(text)
    return isJsonObject(data) && data.format === FORMAT && Array.isArray(data.steps) ? data.steps : undefined
  } catch {
    return undefined
  }
}
