import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartError } from './start-error.ts'

/**
 * Creates a folder and its missing parents with mode 0700; throws StartError where it cannot. One level at a time:
 * Node's recursive mkdir never returns where the file system of a parent takes no files, as /proc.
 */
export const createPrivateFolder = (folder: string): void => {
  const missing: string[] = []
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.unshift(path)
  try {
    for (const path of missing) mkdirSync(path, { mode: 0o700 })
    if (!statSync(folder).isDirectory()) throw new Error('It is a file.')
  } catch {
    throw new StartError(`${folder} cannot be written: make it a writable folder or choose another --data-dir.`)
  }
}
