import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { storeOptionFor } from './open-test-store.ts'
import { pollUntil } from './poll-until.ts'

const COMMAND = join(import.meta.dirname, '../../bin/assay.js')

/** An `assay serve` child process; killed when the test ends. */
type ServeProcess = {
  child: ChildProcess
  /** Output so far. */
  said: { stdout: string; stderr: string }
  /** The exit code, once it has ended. */
  ended: Promise<number | null>
}

/** The environment without `ASSAY_` variables, so that those of the machine change nothing. */
const neutral = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_')))

/** Spawns `assay serve` for a test; `through` is a command that runs it, such as one that sets a limit. */
export const spawnServe = (
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  through: readonly string[] = [],
): ServeProcess => {
  const [command = '', ...all] = [...through, process.execPath, COMMAND, 'serve', ...argv]
  const child = spawn(command, all, {
    env: { ...neutral(), NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, said, ended }
}

/**
 * Returns a test's `assay serve` options for a data folder: free ports, and `--store` where tests run over PostgreSQL.
 */
export const serveOptionsFor = async (dataDir: string): Promise<string[]> => {
  const { store } = await storeOptionFor(dataDir)
  const options = ['--data-dir', dataDir, '--api-port', '0', '--pages-port', '0']
  return store === undefined ? options : [...options, '--store', store]
}

/**
 * Starts `assay serve` on free ports for a test and waits until it is ready; returns its addresses and the kit file.
 */
export const startServe = async (dataDir: string, argv: readonly string[] = [], environment?: NodeJS.ProcessEnv) => {
  const served = spawnServe([...(await serveOptionsFor(dataDir)), ...argv], environment)
  const failed = served.ended.then(code => {
    throw new Error(`assay serve ended with ${code}: ${served.said.stderr}`)
  })
  await Promise.race([
    failed,
    pollUntil(
      () => served.said.stdout,
      text => /Kit .*\n/.test(text),
    ),
  ])
  failed.catch(() => undefined)
  const line = (name: string) => new RegExp(`^ +${name} +(.*)$`, 'm').exec(served.said.stdout)?.[1] ?? ''
  return { ...served, apiUrl: line('API'), pagesUrl: line('Pages'), kitFile: line('Kit') }
}
