import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = new Set<string>()

/** Creates a data folder that is deleted by `remove`, or when the process ends: it has private keys. */
export const createTemporaryDataFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'assay-'))
  if (folders.size === 0) process.on('exit', removeAll)
  folders.add(path)
  return {
    path,
    remove: () => {
      folders.delete(path)
      if (folders.size === 0) process.off('exit', removeAll)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

const removeAll = (): void => {
  for (const path of folders) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // Windows deletes no file that is open, and nobody is left to tell.
    }
  }
}
