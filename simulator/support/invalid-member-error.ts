/** Error of an invalid member of untrusted input: its name, and what to give instead. */
export class InvalidMemberError extends Error {
  readonly member: string
  readonly problem: string
  constructor(member: string, saying: string) {
    super(`${member} ${saying}`)
    this.member = member
    this.problem = saying
  }
}

/**
 * Reads a member of untrusted input that must be one of the given words; throws InvalidMemberError for any other value.
 */
export const readOneOf = <const Word extends string>(member: string, word: unknown, words: readonly Word[]): Word => {
  const found = words.find(known => known === word)
  if (found !== undefined) return found
  throw new InvalidMemberError(member, `is ${describeValue(word)}: give one of ${words.join(', ')}.`)
}

/** Describes a value for an error message: the first 60 characters of its JSON. */
export const describeValue = (value: unknown): string =>
  value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60)
