import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orUsageError } from './read-and-write-text-files.ts'

/** Returns the path at which a file of a folder is written before it takes its name. */
export const besideFile = (folder: string, name: string): string => join(folder, `${name}.new`)

/** Writes a file in one step, readable by its owner alone; throws a UsageError where it cannot be written. */
export const writePrivateFile = (folder: string, name: string, text: string): void => {
  writePrivately(folder, name, text)
  takeName(folder, name)
}

/**
 * Writes the files of a folder so that a process that is killed meanwhile leaves all as they were or, once
 * `finishWriting` was called, all anew. `first` is readable by its owner alone; when it takes its name, the others will.
 * Throws a UsageError, and leaves all as they were, where one cannot be written.
 */
export const writeFilesTogether = (
  folder: string,
  first: { name: string; text: string },
  texts: Readonly<Record<string, string>>,
): void => {
  const names = Object.keys(texts)
  try {
    writePrivately(folder, first.name, first.text)
    for (const [name, text] of Object.entries(texts))
      orUsageError(join(folder, name), 'written', () => writeFileSync(besideFile(folder, name), text))
  } catch (error) {
    finishWriting(folder, first.name, names)
    throw error
  }
  takeName(folder, first.name)
  finishWriting(folder, first.name, names)
}

/**
 * Finishes what a process that was killed has written of these files: they are all anew, or all as they were. Throws a
 * UsageError where one cannot be removed or renamed.
 */
export const finishWriting = (folder: string, first: string, names: readonly string[]): void => {
  const isGivenUp = existsSync(besideFile(folder, first))
  for (const name of names.filter(name => existsSync(besideFile(folder, name))))
    if (isGivenUp) remove(folder, name)
    else takeName(folder, name)
  if (isGivenUp) remove(folder, first)
}

const remove = (folder: string, name: string): void =>
  orUsageError(folder, 'written', () => rmSync(besideFile(folder, name)))

const takeName = (folder: string, name: string): void =>
  orUsageError(join(folder, name), 'written', () => renameSync(besideFile(folder, name), join(folder, name)))

const writePrivately = (folder: string, name: string, text: string): void =>
  orUsageError(join(folder, name), 'written', () => {
    writeFileSync(besideFile(folder, name), text, { mode: 0o600 })
    chmodSync(besideFile(folder, name), 0o600)
  })
