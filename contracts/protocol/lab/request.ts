/** A request as somebody pasted it or the journal kept it: header names as sent, the body's own bytes. */
export type LabRequest = {
  method: string
  /** Path and query as sent. */
  target: string
  headers: readonly (readonly [name: string, value: string])[]
  body: Uint8Array
  /** Why the body is not the one that was sent, where it is not: cut off, or masked. */
  bodyIsPartial?: true
  /** When it was sent, UNIX time in seconds, where that is known. */
  sentAt?: number
  /** What had to be put right to read it. */
  mended?: Mended
}

/** What a terminal or a form does to a pasted body, and reading it undoes. */
export type Mended = 'line-ends' | 'last-newline'

/** All values of a header, joined as HTTP joins them; undefined where it is absent. */
export const headerOf = ({ headers }: Pick<LabRequest, 'headers'>, name: string): string | undefined => {
  const values = headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value.trim())
  return values.length === 0 ? undefined : values.join(', ')
}
