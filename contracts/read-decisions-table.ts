import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import schema from './decisions.schema.json' with { type: 'json' }
import { createAjv } from './schema/create-schema-validator.ts'
import { describeErrorAndValue, errorPath, specificErrors } from './schema/describe-schema-error.ts'

/**
 * A numbered decision: what the project assumes where the interface document is silent. Texts are Markdown, with their
 * line breaks.
 */
export type Decision = {
  /** Its permanent number, such as D-05. */
  number: string
  title: string
  /** Sections and rules of the interface document. */
  clauses: readonly string[]
  /** `assumed`: our choice until the operator of a deployment confirms it. */
  basis: 'assumed'
  question: string
  choice: string
  /** The table that the choice refers to. */
  table?: { columns: readonly string[]; rows: readonly (readonly string[])[] }
  why: string
  /** What was not chosen, each as a part of a sentence. */
  alternatives: readonly string[]
  /** How a profile chooses otherwise: a value under `decisions`, or another line; undefined where it cannot. */
  switch?: { usual: string; others: Readonly<Record<string, string>> } | { line: string }
}

/** Parses a table of decisions; throws an Error with the first place that does not fit its schema. */
export const parseDecisions = (text: string): readonly Decision[] => {
  const data: unknown = parse(text)
  const validate = createAjv({ verbose: true }).compile<{ decisions: readonly Decision[] }>(schema)
  if (validate(data)) return data.decisions
  const [error] = specificErrors(validate.errors)
  throw new Error(
    error
      ? `contracts/decisions.yaml: ${errorPath(error).join('.') || 'the file'} ${describeErrorAndValue(error)}.`
      : 'contracts/decisions.yaml does not fit contracts/decisions.schema.json.',
  )
}

let table: readonly Decision[] | undefined

/** Returns the decisions of contracts/decisions.yaml, which is read once, in the order of their numbers. */
export const readDecisions = (): readonly Decision[] => {
  table ??= parseDecisions(readFileSync(new URL('./decisions.yaml', import.meta.url), 'utf8'))
  return table
}

/** Returns the meaning of a decision's value as a sentence: the words of its switch, or what is usual; Markdown. */
export const meaningOfChoice = (number: string, value: string): string => {
  const decision = readDecisions().find(one => one.number === number)
  const others = decision?.switch && 'others' in decision.switch ? decision.switch.others : {}
  const text = others[value] ?? decision?.choice.replace(/\s+/g, ' ') ?? ''
  return text.endsWith('.') ? text : `${text}.`
}

/** Returns the number of the existing decision that is nearest to a number such as D-05. */
export const nearestDecision = (number: string): string => {
  const distance = (other: string) => Math.abs(Number(other.slice(2)) - Number(number.slice(2)))
  return readDecisions()
    .map(decision => decision.number)
    .reduce((best, other) => (distance(other) < distance(best) ? other : best))
}
