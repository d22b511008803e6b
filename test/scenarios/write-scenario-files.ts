import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Writes scenario files of a test, by name, into a temporary folder; returns the folder. */
export const writeScenarioFolder = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Returns the text of a scenario file with one scenario of these members, for tests. */
export const scenarioFileText = (members: string): string =>
  `scenarios:\n  - ${members.trim().replaceAll('\n', '\n    ')}\n`
