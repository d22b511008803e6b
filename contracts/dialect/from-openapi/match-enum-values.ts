import { ENUM_WORDS, plainName } from './name-synonyms.ts'

/**
 * Words of an enum with those of a deployment that clearly mean them, where they differ; and the words that none
 * clearly is.
 */
export type MatchedWords = { words: Readonly<Record<string, string>>; unclear: readonly string[] }

/** Pairs the document's words of a member with those of a deployment, one for one: by their letters, then by their meaning. */
export const matchWords = (member: string, ours: readonly string[], theirs: readonly string[]): MatchedWords => {
  const found = new Map<string, string>()
  const take = (isAlike: (own: string, other: string) => boolean): void => {
    for (const own of ours) {
      if (found.has(own)) continue
      const free = theirs.filter(other => ![...found.values()].includes(other) && isAlike(own, other))
      if (free.length === 1 && free[0] !== undefined) found.set(own, free[0])
    }
  }
  take((own, other) => own === other)
  take((own, other) => plainName(own) === plainName(other))
  take((own, other) => (ENUM_WORDS[member]?.[own] ?? []).includes(plainName(other)))
  return {
    words: Object.fromEntries([...found].filter(([own, other]) => own !== other)),
    unclear: ours.filter(own => !found.has(own)),
  }
}
