import { REFUSALS, type RefusalName } from '../protocol/reason-codes.ts'
import type { DecisionChoices, SwitchedDecision } from './decision-choices.ts'

/** HTTP status (7.1) and reasonCode (7.3) of a refusal. */
type RefusalRow = { http: number; reasonCode: string }

/** Refusals that a choice changes, by decision, value and refusal. */
type RefusalChoices = {
  readonly [Number in SwitchedDecision]?: {
    readonly [Value in DecisionChoices[Number]]?: Readonly<Partial<Record<RefusalName, Partial<RefusalRow>>>>
  }
}

/** Every choice that changes nothing but the status or the reasonCode of refusals. */
// biome-ignore format: a table reads by its columns
const REFUSAL_CHOICES: RefusalChoices = {
}

/** Returns HTTP status and reasonCode of a refusal where these choices hold (7.1, 7.3). */
export const refusalRow = (name: RefusalName, choices: DecisionChoices): RefusalRow => {
  const { http, reasonCode } = REFUSALS[name]
  const changes = Object.entries(REFUSAL_CHOICES).map(([number, values]) => {
    const value = choices[number as SwitchedDecision] as string
    return (values as Readonly<Record<string, Partial<Record<RefusalName, Partial<RefusalRow>>>>>)[value]?.[name]
  })
  return Object.assign({ http, reasonCode }, ...changes)
}
