/** A request to diagnose, pasted or from the journal: header names as sent, exact body bytes. */
export type LabRequest = {
  method: string
  /** Path and query as sent. */
  target: string
  headers: readonly (readonly [name: string, value: string])[]
  body: Uint8Array
  /** The body is truncated or masked. */
  bodyIsPartial?: true
  /** When it was sent, UNIX time in seconds, if known. */
  sentAt?: number
  /** The repair of the pasted body, if any. */
  mended?: PasteRepair
}

/** Name of the repair that restored a pasted body: of its line ends, or of the line end after it. */
export type PasteRepair = 'line-ends' | 'last-newline'

/** Returns the values of a header of a lab request, joined with commas; undefined where it is absent. */
export const readHeaderValue = ({ headers }: Pick<LabRequest, 'headers'>, name: string): string | undefined => {
  const values = headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value.trim())
  return values.length === 0 ? undefined : values.join(', ')
}
