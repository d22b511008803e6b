import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
let command: string | undefined

/**
 * Builds the package, once in a process, as the image and users have it; returns the file of its command. A run of the
 * tests names the folder of the package that it has built.
 */
export const builtCommand = (): string => {
  command ??= join(process.env.ASSAY_BUILT_PACKAGE ?? build(), 'bin/assay.js')
  return command
}

const build = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-built-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['.ci/build.ts', join(folder, 'dist')], { cwd: ROOT, stdio: ['ignore', 'ignore', 2] })
  return join(folder, 'dist')
}
