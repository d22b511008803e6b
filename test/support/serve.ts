import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { storeFor } from './open-test-store.ts'
import { until } from './poll.ts'

const COMMAND = join(import.meta.dirname, '../../bin/assay.js')

/** `assay serve` in a process of its own, ended with the test that started it. */
export type Served = {
  child: ChildProcess
  /** What it has said so far. */
  said: { stdout: string; stderr: string }
  /** The exit code, once it has ended. */
  ended: Promise<number | null>
}

/** The environment without any option of ours, so that the machine's own settings change nothing. */
const neutral = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_')))

/** `through` is a command that runs it under conditions of its own, such as a limit. */
export const serve = (
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  through: readonly string[] = [],
): Served => {
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

/** Free ports, a data folder, and what goes with it where the tests run over PostgreSQL. */
export const optionsFor = async (dataDir: string): Promise<string[]> => {
  const { store } = await storeFor(dataDir)
  const options = ['--data-dir', dataDir, '--api-port', '0', '--pages-port', '0']
  return store === undefined ? options : [...options, '--store', store]
}

/** One that is ready on free ports, with its addresses. */
export const serveReady = async (dataDir: string, argv: readonly string[] = [], environment?: NodeJS.ProcessEnv) => {
  const served = serve([...(await optionsFor(dataDir)), ...argv], environment)
  const failed = served.ended.then(code => {
    throw new Error(`assay serve ended with ${code}: ${served.said.stderr}`)
  })
  await Promise.race([
    failed,
    until(
      () => served.said.stdout,
      text => /Kit .*\n/.test(text),
    ),
  ])
  failed.catch(() => undefined)
  const line = (name: string) => new RegExp(`^ +${name} +(.*)$`, 'm').exec(served.said.stdout)?.[1] ?? ''
  return { ...served, apiUrl: line('API'), pagesUrl: line('Pages'), kitFile: line('Kit') }
}
