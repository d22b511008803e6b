import type { MeaningOf } from '../decision-choices.ts'
import type { SpokenContext } from '../openapi/spoken-context.ts'

/** A function that compares one topic of two dialects; returns a sentence for each difference. */
export type Compare = (from: SpokenContext, to: SpokenContext, meaningOf: MeaningOf) => string[]

/** Formats a value as JSON for a sentence on differing dialects. */
export const json = (value: unknown): string => JSON.stringify(value)

/** Returns sentences for the names whose values differ between two dialects. */
export const changed = <Name extends string>(
  names: readonly Name[],
  [from, to]: readonly [(name: Name) => string, (name: Name) => string],
  sentence: (name: Name, to: string, from: string) => string,
): string[] => names.flatMap(name => (from(name) === to(name) ? [] : [sentence(name, to(name), from(name))]))
