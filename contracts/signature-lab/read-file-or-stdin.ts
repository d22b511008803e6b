import { readFileSync } from 'node:fs'

/** A usage error of `assay lab`; the message says how to correct it. */
export class LabUsageError extends Error {}

/** Reads a file, or stdin for `-`; throws LabUsageError. */
export const readFileOrStdin = (path: string): Buffer => {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new LabUsageError(`${path} cannot be read (${code}): name a file that is there, or - for stdin.`)
  }
}
