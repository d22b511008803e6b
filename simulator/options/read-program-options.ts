import { formatDuration } from '../support/duration.ts'
import { StartError } from '../support/start-error.ts'
import { describeExpectedValue, describeGivenValue, type OptionKind } from './option-kinds.ts'
import { type Config, OPTIONS, type OptionName, toConfigName } from './options.ts'

const NAMES = new Map((Object.keys(OPTIONS) as OptionName[]).map(name => [toConfigName(name), name]))

/** How a program gives a value: the words for it, and the text of a flag that says the same; none for another type. */
type Form = { words: string; write(value: unknown): string | undefined }

const FORMS: Readonly<Record<OptionKind<unknown>['given'], Form>> = {
  text: { words: '', write: value => (typeof value === 'string' ? value : undefined) },
  number: { words: '', write: value => (typeof value === 'number' ? String(value) : undefined) },
  milliseconds: {
    words: 'a number of milliseconds, for ',
    write: value => (Number.isInteger(value) ? formatDuration(value as number) : undefined),
  },
  list: { words: 'an array, of ', write: value => (isTexts(value) ? value.join() : undefined) },
  subset: {
    words: 'an array, of ',
    write: value => (isTexts(value) ? (value.length === 0 ? 'none' : value.join()) : undefined),
  },
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

/**
 * Reads the options that a program gives, by the table of those of `assay serve`; what is undefined is left out. Throws
 * StartError with one sentence that names the option and what would do.
 */
export const readProgramOptions = (options: Partial<Config>): Partial<Config> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([member, value]) => {
      const name = optionOf(member)
      return value === undefined ? [] : [[member, readValue(name, value)]]
    }),
  )

const optionOf = (member: string): OptionName => {
  const name = NAMES.get(member)
  if (name !== undefined) return name
  const meant = toConfigName(member)
  const cure = NAMES.has(meant) ? `write ${meant}` : 'docs/reference.md lists the options'
  throw new StartError(`startSimulator takes no option "${member}": ${cure}.`)
}

const readValue = (name: OptionName, value: unknown): unknown => {
  const { kind, help } = OPTIONS[name]
  const { words, write } = FORMS[kind.given]
  const text = write(value)
  const read = text === undefined ? undefined : kind.parse(text)
  if (read !== undefined) return read
  throw new StartError(
    `The option ${toConfigName(name)} is ${describeGivenValue(kind, value)}: give ${words}${describeExpectedValue(kind)} (${help}).`,
  )
}
