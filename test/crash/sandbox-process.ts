import { spawn } from 'node:child_process'
import { join } from 'node:path'

const COMMAND = join(import.meta.dirname, '../../bin/assay.js')

/** A sandbox in a child process that crash tests kill. */
export type SandboxProcess = { pagesUrl: string; kitFile: string; kill(): Promise<void>; stop(): Promise<void> }

const neutral = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_')))

/** Spawns `assay serve` on free ports for a test without waiting; every line on stderr is reported as an error. */
export const spawnSandboxProcess = (
  folder: string,
  onError: (line: string) => void,
  more: readonly string[] = [],
  command = COMMAND,
) => {
  const argv = [command, 'serve', '--data-dir', folder, '--api-port', '0', '--pages-port', '0', ...more]
  const child = spawn(process.execPath, argv, { env: neutral(), stdio: ['ignore', 'pipe', 'pipe'] })
  const gone = new Promise<number | null>(resolve => child.once('close', resolve))
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  void gone.then(() => process.off('exit', kill))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    onError(`it said ${text.trim()}`)
  })
  const ready = new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (/Kit .*\n/.test(output)) resolve(output)
    })
    void gone.then(code => reject(new Error(`The sandbox ended with ${code} before it was ready: ${said.trim()}`)))
  })
  ready.catch(() => undefined)
  return { child, gone, ready }
}

/** Starts `assay serve` in a child process for a test and waits until it is ready. */
export const startSandboxProcess = async (
  folder: string,
  onError: (line: string) => void,
  more: readonly string[] = [],
  command = COMMAND,
): Promise<SandboxProcess> => {
  const { child, gone, ready } = spawnSandboxProcess(folder, onError, more, command)
  const output = await ready
  const line = (name: string) => new RegExp(`^ +${name} +(.*)$`, 'm').exec(output)?.[1] ?? ''
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    child.kill(signal)
    const code = await gone
    if (signal === 'SIGTERM' && code !== 0) onError(`it ended with ${code} on SIGTERM`)
  }
  return { pagesUrl: line('Pages'), kitFile: line('Kit'), kill: end('SIGKILL'), stop: end('SIGTERM') }
}
