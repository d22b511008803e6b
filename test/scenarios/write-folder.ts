import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A folder of scenario files, by their names. */
export const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** A file with one scenario that is as short as can be. */
export const file = (members: string): string => `scenarios:\n  - ${members.trim().replaceAll('\n', '\n    ')}\n`
