import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Reads the folder of a build from the arguments of its script, `usual` without one. A folder that holds anything but an
 * earlier build, which would be deleted, ends the process with one sentence and exit code 2.
 */
export const readBuildFolder = (argv: readonly string[], usual: string, packageName: unknown): string => {
  const [given, ...others] = argv
  if (given?.startsWith('-') || others.length > 0) return refuse('Name one folder at most: npm run build -- DIR')
  if (given === undefined) return usual
  const folder = resolve(given)
  if (isFree(folder) || isBuild(folder, packageName)) return folder
  return refuse(`${folder} holds something other than an earlier build: name a new folder, or an empty one.`)
}

const isFree = (folder: string): boolean => {
  try {
    return readdirSync(folder).length === 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Whether a folder holds a build: its package has the name, and is not private, as that of a clone is. */
const isBuild = (folder: string, packageName: unknown): boolean => {
  try {
    const { name, private: isClone } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return name === packageName && !isClone
  } catch {
    return false
  }
}

const refuse = (sentence: string): never => {
  console.error(sentence)
  return process.exit(2)
}
