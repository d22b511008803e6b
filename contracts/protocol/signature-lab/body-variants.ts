import { tryParseJson } from '../try-parse-json.ts'
import type { CauseId } from './signature-error-causes.ts'

/** A variant of a request body over which a client may have computed the digest, with the cause that it indicates. */
export type BodyVariant = { cause: CauseId; bytes: Buffer; text?: string }

/** Lists the variants of a request body, without the body itself, most likely first. */
export const listBodyVariants = (body: Uint8Array): readonly BodyVariant[] => {
  const own = Buffer.from(body)
  const forms = [...linesOf(own), ...jsonOf(own), ...charsetsOf(own), ...standInsOf(own)]
  const seen = new Set([own.toString('latin1')])
  return forms.filter(({ bytes }) => {
    const key = bytes.toString('latin1')
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const form = (cause: CauseId, text: string | Buffer): BodyVariant => ({ cause, bytes: Buffer.from(text as string) })

const linesOf = (body: Buffer): BodyVariant[] => {
  const text = body.toString('latin1')
  const bytes = (changed: string) => Buffer.from(changed, 'latin1')
  return [
    form('digest-of-newline', bytes(`${text}\n`)),
    form('digest-of-newline', bytes(`${text}\r\n`)),
    form('digest-of-no-newline', bytes(text.replace(/\r?\n$/, ''))),
    form('digest-of-no-newline', bytes(text.trim())),
    form('digest-of-crlf', bytes(text.replaceAll(/\r?\n/g, '\r\n'))),
    form('digest-of-crlf', bytes(text.replaceAll('\r\n', '\n'))),
  ]
}

/** Returns the JSON value of a body as other serialisers write it. */
const jsonOf = (body: Buffer): BodyVariant[] => {
  const value = tryParseJson(body.toString('utf8').replace(/^\uFEFF/, ''))
  if (value === undefined) return []
  const sorted = sortedJson(value)
  const compact = JSON.stringify(value)
  return [
    form('digest-of-compact', compact),
    ...[2, 4, '\t', 3, 1].flatMap(indent => prettyForms(JSON.stringify(value, undefined, indent))),
    form('digest-of-sorted', JSON.stringify(sorted)),
    form('digest-of-sorted', JSON.stringify(sorted, undefined, 2)),
    form('digest-of-sorted', spaced(sorted)),
    form('digest-of-spaced', spaced(value)),
    form('digest-of-escaped', escaped(compact)),
    form('digest-of-escaped', escaped(spaced(value))),
    form('digest-of-escaped', compact.replaceAll('/', '\\/')),
    form('digest-of-escaped', escaped(compact).replaceAll('/', '\\/')),
    form('digest-of-escaped', htmlEscaped(compact)),
    form('digest-of-newline', `${compact}\n`),
  ]
}

const prettyForms = (text: string): BodyVariant[] =>
  [text, `${text}\n`, text.replaceAll('\n', '\r\n'), text.replaceAll('": ', '" : ')].map(one =>
    form('digest-of-pretty', one),
  )

const charsetsOf = (body: Buffer): BodyVariant[] => {
  const text = body.toString('utf8')
  return [
    form('digest-of-charset', Buffer.from(text, 'latin1')),
    form('digest-of-charset', Buffer.from(text, 'utf16le')),
    form('digest-of-charset', Buffer.from(text, 'utf16le').swap16()),
    form('digest-of-charset', Buffer.from(body.toString('latin1'), 'utf8')),
    form('digest-of-charset', `\uFEFF${text}`),
    form('digest-of-charset', text.replace(/^\uFEFF/, '')),
  ]
}

const standInsOf = (body: Buffer): BodyVariant[] => [
  form('digest-of-empty', ''),
  form('digest-of-quoted', JSON.stringify(body.toString('utf8'))),
  form('digest-of-quoted', body.toString('base64')),
  ...['{}', 'null', 'undefined', '[object Object]', '""', '[]'].map(text => ({
    ...form('digest-of-placeholder', text),
    text,
  })),
]

const DEEPEST = 200

const sortedJson = (value: unknown, depth = 0): unknown => {
  if (depth > DEEPEST || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(member => sortedJson(member, depth + 1))
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortedJson(member, depth + 1)]))
}

/** Serialises JSON as Python's json.dumps does by default. */
const spaced = (value: unknown, depth = 0): string => {
  if (depth > DEEPEST || value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(member => spaced(member, depth + 1)).join(', ')}]`
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member, depth + 1)}`)
  return `{${members.join(', ')}}`
}

const escaped = (text: string): string => text.replaceAll(/[\u0080-\uffff]/g, unicode)

/** Escapes JSON as Go's encoding/json does by default. */
const htmlEscaped = (text: string): string => text.replaceAll(/[<>&\u2028\u2029]/g, unicode)

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
