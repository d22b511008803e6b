import { hash as digestOf } from 'node:crypto'

/** One line of a signature base: component name and value. */
export type BaseLine = { readonly name: string; readonly value: string }

/** A signature base before serialisation, with every property in which clients deviate. */
export type BaseDraft = {
  readonly lines: readonly BaseLine[]
  /** The line `@signature-params`, if present. */
  readonly last: BaseLine | undefined
  readonly lastFirst: boolean
  readonly write: (line: BaseLine) => string
  /** Serialises the last line; by default like the others. */
  readonly writeLast: ((line: BaseLine) => string) | undefined
  readonly start: string
  readonly join: string
  readonly end: string
  readonly charset: 'utf8' | 'utf16le' | 'latin1'
  /** Transforms the bytes before they are signed. */
  readonly wrap: ((base: Buffer, hash: string) => Buffer) | undefined
  /** A hash other than that of the key's curve. */
  readonly hash: string | undefined
}

/** A function that changes one property of a signature base draft. */
export type BaseEdit = (draft: BaseDraft) => BaseDraft

const usual = ({ name, value }: BaseLine): string => `"${name}": ${value}`

/** Creates a signature base draft from its lines and the value of its last line, to be written as 5.2 specifies. */
export const createBaseDraft = (lines: readonly BaseLine[], lastValue: string): BaseDraft => ({
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

/** Serialises a signature base draft to text. */
export const serializeBase = (draft: BaseDraft): string => {
  const lines = draft.lines.map(draft.write)
  const last = draft.last === undefined ? [] : [(draft.writeLast ?? draft.write)(draft.last)]
  const all = draft.lastFirst ? [...last, ...lines] : [...lines, ...last]
  return `${draft.start}${all.join(draft.join)}${draft.end}`
}

/** Returns the bytes of a signature base draft that the signing function gets, which hashes them with `hash`. */
export const signedBytes = (draft: BaseDraft, hash: string): Buffer => {
  const bytes = Buffer.from(serializeBase(draft), draft.charset)
  return draft.wrap === undefined ? bytes : draft.wrap(bytes, hash)
}

/** Creates an edit that changes the value of one line of a signature base draft, if the draft has that line. */
export const withValue =
  (name: string, value: string): BaseEdit =>
  draft => ({ ...draft, lines: draft.lines.map(line => (line.name === name ? { name, value } : line)) })

/** Creates an edit that changes the value of the last line of a signature base draft, if the draft has one. */
export const withLast =
  (change: (value: string) => string): BaseEdit =>
  draft => ({ ...draft, last: draft.last && { ...draft.last, value: change(draft.last.value) } })

/** Hashes the bytes of a signature base with the hash function of its draft. */
export const hashBytes = (base: Buffer, hash: string): Buffer => digestOf(hash, base, 'buffer')
