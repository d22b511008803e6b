import { describeValue } from './invalid-member-error.ts'
import { toSingleLine } from './untrusted-text.ts'

/** An error of control or the portal, in one sentence: unknown name (404), invalid input (400), conflict (409) or too many at once (429). */
export class ControlError extends Error {
  readonly kind: 'unknown' | 'invalid' | 'conflict' | 'busy'

  constructor(kind: ControlError['kind'], message: string) {
    super(toSingleLine(message))
    this.kind = kind
  }
}

/** Requires what was given for a member to be one of some words. Throws ControlError. */
export const requireOneOf = <const Word extends string>(
  member: string,
  given: unknown,
  words: readonly Word[],
): Word => {
  const found = words.find(word => word === given)
  if (found !== undefined) return found
  throw new ControlError('invalid', `${member} is ${describeValue(given)}: give one of ${words.join(', ')}.`)
}
