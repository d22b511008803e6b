import { isNestedTooDeep } from '../../contracts/protocol/json-nesting.ts'

/** Deepest nesting of a JSON body that is accepted: no body needs more, and recursive code would strain under it. */
export const MAX_JSON_DEPTH = 32

/** What is wrong with a body that is nested deeper than is accepted. */
export const TOO_DEEP = `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`

/** Whether a JSON text is nested deeper than is accepted, `within` so many levels; parsing would take long by then. */
export const isTooDeep = (text: string, within = 0): boolean => isNestedTooDeep(text, MAX_JSON_DEPTH - within)
