import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { MockServer } from './mock-server-start-commands.ts'

const run = promisify(execFile)

/** Folder outside the project that caches installed mock servers for later runs. */
const CACHE = join(tmpdir(), 'assay-rivals')
const PATIENCE_MS = 300_000

/** Installs a mock server from npm unless cached; returns its folder, throws one sentence on failure. */
export const installPackage = async ({ package: name, version, needs }: MockServer): Promise<string> => {
  if (needs) await run(needs, ['--version']).catch(() => refuse(`it needs ${needs}, which is not here`))
  const folder = join(CACHE, `${name.replace(/\W+/g, '-')}-${version}`)
  const module = join(folder, 'node_modules', name)
  if (versionIn(module) === version) return module
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--loglevel', 'error']
  await run('npm', ['install', ...options, `${name}@${version}`], { cwd: folder, timeout: PATIENCE_MS }).catch(error =>
    refuse(
      `npm could not install ${name}@${version}: ${
        String(error.stderr || error.message)
          .trim()
          .split('\n')[0]
      }`,
    ),
  )
  return module
}

const versionIn = (module: string): string | undefined => {
  const file = join(module, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

const refuse = (why: string): never => {
  throw new Error(why)
}
