import { readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '../run/command-errors.ts'

/** Writes a text file; throws a UsageError where it cannot be written. */
export const writeTextFile = (file: string, text: string): void =>
  orUsageError(file, 'written', () => writeFileSync(file, text))

const CURES = { read: 'name a folder that --report has written', written: 'name a folder that can be written to' }

/** Runs a file operation; throws a UsageError that names the file and the cure where it fails. */
export const orUsageError = <Value>(file: string, what: 'read' | 'written', act: () => Value): Value => {
  try {
    return act()
  } catch (error) {
    throw new UsageError(`${file} cannot be ${what} (${(error as NodeJS.ErrnoException).code}): ${CURES[what]}.`)
  }
}

/** Reads a text file; throws a UsageError where it cannot be read. */
export const readTextFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`There is no readable file ${file}: name one that exists.`)
  }
}
