import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kitFiles, modeOf } from '../../contracts/client/kit-files.ts'
import type { Kit } from '../../simulator/installation/merchant-kit.ts'

/** Writes a test's kit in both forms in which it is handed out; returns the JSON file and the folder. */
export const writeKitForms = (into: string, kit: Kit): { file: string; folder: string } => {
  const [file, folder] = [join(into, `${kit.organizationId}-kit.json`), join(into, kit.organizationId)]
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(kit))
  for (const one of kitFiles(kit)) writeFileSync(join(folder, one.name), one.text, { mode: modeOf(one) })
  return { file, folder }
}
