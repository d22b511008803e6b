import { readFileSync } from 'node:fs'
import { LabError } from './lab-error.ts'

/** The bytes of a file, or of stdin for `-`. */
export const readInput = (path: string): Buffer => {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new LabError(`${path} cannot be read (${code}): name a file that is there, or - for stdin.`)
  }
}
