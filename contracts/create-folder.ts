import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents, for everybody or with the given mode; throws the error of the file system
 * where it cannot. One level at a time: Node's recursive mkdir never returns where the file system of a parent takes no
 * files, as /proc.
 */
export const createFolder = (folder: string, mode = 0o777): void => {
  const missing: string[] = []
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.unshift(path)
  for (const path of missing) mkdirSync(path, { mode })
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error('It is a file.'), { code: 'ENOTDIR' })
}
