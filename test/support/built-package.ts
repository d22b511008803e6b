import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../architecture/read-source-files.ts'
import { pollUntil } from './poll-until.ts'

/**
 * Returns the folder of the built package for tests, which nobody changes; the first test file of a run that asks
 * builds it for all.
 */
export const builtPackage = async (): Promise<string> => {
  const folder = process.env.ASSAY_TEST_RUN_FOLDER ?? ''
  const dist = join(folder, 'dist')
  const done = join(folder, 'dist.done')
  try {
    mkdirSync(join(folder, 'dist.lock'))
  } catch {
    await pollUntil(() => existsSync(done), Boolean)
    return dist
  }
  await promisify(execFile)(process.execPath, ['.ci/build.ts', dist], { cwd: ROOT })
  writeFileSync(done, '')
  return dist
}

/** The packages whose code a built package brings, by the file of their licences. */
export const bundledPackages = (folder: string): string[] => {
  const text = readFileSync(join(folder, 'LICENCES-OF-BUNDLED-PACKAGES.txt'), 'utf8')
  return Array.from(text.matchAll(/^(\S+) [\d.]+ \(\S+\)$/gm), ([, name = '']) => name)
}
