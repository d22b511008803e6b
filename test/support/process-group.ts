import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'

/** Spawns a command as a process group of its own, in the root of the project; all of it is killed when the test ends. */
export const spawnGroup = (command: string, argv: readonly string[]) => {
  const child = spawn(command, argv, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => signalGroup(child, 'SIGKILL'))
  const said = { stdout: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  return { child, said }
}

/** Sends a signal to all processes of a group that still run. */
export const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // All have ended.
  }
}
