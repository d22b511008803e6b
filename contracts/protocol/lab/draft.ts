import { hash as digestOf } from 'node:crypto'

/** One line of a base. */
export type Line = { readonly name: string; readonly value: string }

/** A signature base before it is written, with every liberty that clients take with it. */
export type Draft = {
  readonly lines: readonly Line[]
  /** The line `@signature-params`, where there is one. */
  readonly last: Line | undefined
  readonly lastFirst: boolean
  readonly write: (line: Line) => string
  /** Writes the name of the last line only; undefined writes it like the others. */
  readonly writeLast: ((line: Line) => string) | undefined
  readonly start: string
  readonly join: string
  readonly end: string
  readonly charset: 'utf8' | 'utf16le' | 'latin1'
  /** What is done to the bytes before they come to the signing function. */
  readonly wrap: ((base: Buffer, hash: string) => Buffer) | undefined
  /** Another hash than the one of the key's curve. */
  readonly hash: string | undefined
}

export type Edit = (draft: Draft) => Draft

const usual = ({ name, value }: Line): string => `"${name}": ${value}`

/** A base as clause 5.2 has it. */
export const draftOf = (lines: readonly Line[], lastValue: string): Draft => ({
  lines,
  last: { name: '@signature-params', value: lastValue },
  lastFirst: false,
  write: usual,
  writeLast: undefined,
  start: '',
  join: '\n',
  end: '',
  charset: 'utf8',
  wrap: undefined,
  hash: undefined,
})

/** The base as a text, before anything is done to it. */
export const baseText = (draft: Draft): string => {
  const lines = draft.lines.map(draft.write)
  const last = draft.last === undefined ? [] : [(draft.writeLast ?? draft.write)(draft.last)]
  const all = draft.lastFirst ? [...last, ...lines] : [...lines, ...last]
  return `${draft.start}${all.join(draft.join)}${draft.end}`
}

/** The bytes that were handed to the signing function, which hashes them with `hash`. */
export const signedBytes = (draft: Draft, hash: string): Buffer => {
  const bytes = Buffer.from(baseText(draft), draft.charset)
  return draft.wrap === undefined ? bytes : draft.wrap(bytes, hash)
}

/** Replaces the value of one line; a draft without that line stays as it is. */
export const withValue =
  (name: string, value: string): Edit =>
  draft => ({ ...draft, lines: draft.lines.map(line => (line.name === name ? { name, value } : line)) })

export const withLast =
  (change: (value: string) => string): Edit =>
  draft => ({ ...draft, last: draft.last && { ...draft.last, value: change(draft.last.value) } })

export const hashed = (base: Buffer, hash: string): Buffer => digestOf(hash, base, 'buffer')
