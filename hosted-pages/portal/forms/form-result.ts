/**
 * Result of a submitted portal form: a value, or one sentence that says why it was refused and what helps, with the name
 * of the field that it is about where the sentence does not begin with it.
 */
export type FormResult<Value> = { done: Value } | { refused: string; wrong?: string }

/** Error that refuses a portal form, with the reason in one sentence for people and the field that it is about. */
export class FormError extends Error {
  readonly kind = 'invalid'
  readonly field: string | undefined

  constructor(message: string, field?: string) {
    super(message)
    this.field = field
  }
}

/** The kinds of errors whose message is meant for people. */
const KINDS: readonly unknown[] = ['unknown', 'invalid', 'conflict', 'busy']
const kindOf = (error: unknown): unknown => (error instanceof Error && 'kind' in error ? error.kind : undefined)

/**
 * Runs the action of a portal form; errors meant for people become a message on the page, any other error is thrown.
 */
export const formResult = async <Value>(submit: () => Promise<Value>): Promise<FormResult<Value>> => {
  try {
    return { done: await submit() }
  } catch (error) {
    if (!KINDS.includes(kindOf(error))) throw error
    const wrong = error instanceof FormError ? error.field : undefined
    return { refused: (error as Error).message, ...(wrong === undefined ? {} : { wrong }) }
  }
}

/** Returns what a look-up finds; undefined where it throws an error of kind `unknown`. */
export const findOrUndefined = async <Value>(find: () => Value | Promise<Value>): Promise<Value | undefined> => {
  try {
    return await find()
  } catch (error) {
    if (kindOf(error) === 'unknown') return undefined
    throw error
  }
}
