import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { completedFields } from '../../dialect/complete-profile-fields.ts'
import { DIALECT_LINES, type DialectLines } from '../../dialect/dialect-lines.ts'
import { hideUserInfo } from '../../protocol/user-info.ts'
import { readFileUpTo } from '../../read-file-up-to.ts'
import { truncate } from '../../schema/describe-schema-error.ts'
import { durationSeconds } from './parse-and-format-iso-duration.ts'
import type { Profile } from './profile.ts'
import { findProfileIssues } from './profile-validation.ts'

/** Command-line values that override lines of a profile. */
type ProfileOverrides = { baseUrl?: string; kit?: string; control?: string; patience?: string; ask?: boolean }

/** Error in a profile that its author can correct; the message names file and line. */
export class ProfileError extends Error {}

/** Reads and validates a profile file and completes its fields; throws a ProfileError for its first issue, with file and line. */
export const readProfile = (file: string, overrides: ProfileOverrides = {}): Profile => {
  const profile = readProfileAsWritten(file, overrides)
  const fields = completedFields(profile)
  return { ...profile, ...(fields && { fields }) }
}

/**
 * Reads and validates a profile file without completing its `fields`, so that `scout` can look for those that it lacks.
 */
export const readProfileAsWritten = (file: string, overrides: ProfileOverrides = {}): Profile =>
  overridden({ ...validated(file, readProfileText(file)), file }, overrides)

/** Reads the dialect lines alone of a profile file, which may lack target and credentials; throws ProfileError. */
export const readDialectLines = (file: string): DialectLines => parseDialectLines(file, readProfileText(file))

/** Parses the YAML text of a dialect; error messages name it by `file`. Throws ProfileError for its first issue. */
export const parseDialectLines = (file: string, text: string): DialectLines => {
  const data = validated(file, text, { isDialect: true })
  const lines = Object.fromEntries(DIALECT_LINES.flatMap(name => (name in data ? [[name, data[name]]] : [])))
  const basePath = new URL(data.target?.baseUrl ?? 'https://localhost').pathname.replace(/(?<!\/)\/+$/, '')
  return basePath === '' ? lines : { ...lines, basePath }
}

const validated = (file: string, text: string, { isDialect = false } = {}) => {
  const lines = new LineCounter()
  const { document, data } = parsed(file, text, lines)
  const [issue] = findProfileIssues(data, { isDialect })
  if (!issue) return data
  const node = document.getIn(issue.path, true) ?? document.getIn(issue.path.slice(0, -1), true)
  const start = (node as { range?: [number] } | undefined)?.range?.[0] ?? 0
  throw new ProfileError(`${file}:${lines.linePos(start).line}: ${issue.message}.`)
}

/** Parses a YAML file; a syntax error, a bad or explosive alias, or endless nesting is a ProfileError. */
const parsed = (file: string, text: string, lines: LineCounter) => {
  try {
    // The library compares each key with all others, which takes minutes for a large map.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
    const [broken] = [...document.errors, ...document.warnings, ...repeatedKeys(document)]
    if (broken) throw new ProfileError(`${file}:${lines.linePos(broken.pos[0]).line}: ${sentenceOf(broken)}.`)
    return { document, data: document.toJS() ?? {} }
  } catch (error) {
    if (error instanceof ProfileError) throw error
    throw new ProfileError(`${file} cannot be read as YAML: ${sentenceOf(error as Error)}.`)
  }
}

/** What to say in place of texts of the library that tell no cure to the author of a profile. */
const SENTENCES: readonly (readonly [text: RegExp, sentence: string])[] = [
  [/^Maximum call stack/, 'This is nested too deeply: take levels out'],
  [/multiple documents/, 'A second document begins here: keep one, without the line ---'],
]

const sentenceOf = ({ message }: { message: string }): string =>
  SENTENCES.find(([text]) => text.test(message))?.[1] ?? truncate(message, 200).replace(/\.$/, '')

const repeatedKeys = (document: Document): { pos: [number]; message: string }[] => {
  const found: { pos: [number]; message: string }[] = []
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) found.push({ pos: [key.range?.[0] ?? 0], message: 'Map keys must be unique' })
        seen.add(key.value)
      }
    },
  })
  return found
}

const overridden = (profile: Profile, overrides: ProfileOverrides): Profile => {
  const { baseUrl, kit, control, patience, ask } = overrides
  const { file: _, ...lines } = profile
  const isInvalid = (line: Partial<Profile>) => findProfileIssues({ ...lines, ...line }).length > 0
  if (baseUrl !== undefined && isInvalid({ target: { ...profile.target, baseUrl } }))
    throw new ProfileError(
      `The base URL "${hideUserInfo(baseUrl)}" is invalid: give an address that begins with https://, without a user name or password and without a query, such as https://localhost:8443.`,
    )
  if (control !== undefined && isInvalid({ control: { ...profile.control, url: control } }))
    throw new ProfileError(
      `The control address "${hideUserInfo(control)}" is invalid: give an address that begins with http:// or https://, without a user name or password, such as http://localhost:8080.`,
    )
  if (patience !== undefined && Number.isNaN(durationSeconds(patience)))
    throw new ProfileError(
      `The patience "${patience}" is no time: give an ISO 8601 duration of days, hours, minutes and seconds such as PT10M.`,
    )
  const overriding = [
    ...(baseUrl === undefined ? [] : ['base-url' as const]),
    ...(kit === undefined ? [] : ['kit' as const]),
  ]
  return {
    ...profile,
    ...(overriding.length > 0 && { overridden: overriding }),
    target: { ...profile.target, ...(baseUrl === undefined ? {} : { baseUrl }) },
    ...(kit === undefined ? {} : { organization: { kit: resolve(kit) } }),
    ...(control === undefined ? {} : { control: { ...profile.control, url: control } }),
    ...(patience === undefined ? {} : { patience }),
    ...(ask && { shopper: { ...profile.shopper, ask } }),
  }
}

/** The most bytes of a profile, a PEM text or another file that a profile or an option names. */
const MOST_BYTES = 1_000_000

/** Reads the text of a file that a profile or an option names; throws a ProfileError with the cure where it cannot be read. */
export const readText = (file: string, cure?: string): string => readBytes(file, cure).toString('utf8')

const readProfileText = (file: string): string => {
  const bytes = readBytes(file)
  // A text in UTF-16 may be one in UTF-8, with U+0000 between its characters.
  if (!isUtf8(bytes) || bytes.includes(0)) throw new ProfileError(`${file} is no text in UTF-8: save it as one.`)
  return bytes.toString('utf8')
}

const readBytes = (file: string, cure?: string): Buffer => {
  let bytes: Buffer | undefined
  try {
    bytes = readFileUpTo(file, MOST_BYTES)
  } catch {
    throw new ProfileError(`There is no readable file ${file}: ${cure ?? 'name one that exists'}.`)
  }
  if (!bytes) throw new ProfileError(`${file} is larger than 1 MB: ${cure ?? 'name a smaller one'}.`)
  return bytes
}
