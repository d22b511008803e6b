import { closeSync, existsSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { readFileUpTo } from '../../read-file-up-to.ts'
import { UsageError } from '../run/command-errors.ts'

/** Writes a text file into a folder that the user named; throws a UsageError where it cannot be written. */
export const writeTextFile = (file: string, text: string): void =>
  orUsageError(file, 'written', () => writeFileSync(file, text))

/**
 * Makes sure, before the work for it, that a file that the user named can be written, and returns the function that
 * writes its text; undefined where none is named. Both throw a UsageError where it cannot be written.
 */
export const prepareTextFile = (file: string | undefined): ((text: string) => void) | undefined => {
  if (file === undefined) return undefined
  orUsageError(file, 'written', () => tryToWrite(file), FILE_CURE)
  return text => orUsageError(file, 'written', () => writeFileSync(file, text), FILE_CURE)
}

/** Throws the error of the file system where a file cannot be written; leaves the file as it is, or absent. */
export const tryToWrite = (file: string): void => {
  const isNew = !existsSync(file)
  closeSync(openSync(file, 'a'))
  if (isNew) rmSync(realpathSync(file))
}

const CURES = { read: 'name a folder that --report has written', written: 'name a folder that can be written to' }
const FILE_CURE = 'name a file that can be written, in a folder that exists'

/** Codes of the file system by which a disk, or its owner's share of it, is full. */
const FULL_DISK = ['ENOSPC', 'EDQUOT']

/** Runs a file operation; throws a UsageError that names the file and the cure where it fails. */
export const orUsageError = <Value>(
  file: string,
  what: 'read' | 'written',
  act: () => Value,
  cure = CURES[what],
): Value => {
  try {
    return act()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const said = what === 'written' && FULL_DISK.includes(code) ? `free space on its disk, or ${cure}` : cure
    throw new UsageError(`${file} cannot be ${what} (${code}): ${said}.`)
  }
}

/** The most bytes of a text file that an option names, such as an OpenAPI document. */
const MOST_BYTES = 64_000_000

/** Reads a text file; throws a UsageError where it cannot be read or is too large. */
export const readTextFile = (file: string): string => {
  let bytes: Buffer | undefined
  try {
    bytes = readFileUpTo(file, MOST_BYTES)
  } catch {
    throw new UsageError(`There is no readable file ${file}: name one that exists.`)
  }
  if (!bytes) throw new UsageError(`${file} is larger than 64 MB: name a smaller one.`)
  return bytes.toString('utf8')
}
