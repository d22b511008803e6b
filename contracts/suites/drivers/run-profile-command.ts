import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { profileLine } from '../../harness/profile/response-fields-and-line-advice.ts'

/** How a command of the profile is run: more environment variables, and how long at most. */
type CommandRun = { env: Readonly<Record<string, string>>; timeoutMs: number; ended: AbortSignal }

/** Time for the last output of a command that has exited, in milliseconds. */
const LAST_OUTPUT_MS = 500

/**
 * Runs the shell command at a line of the profile, in the folder of the profile, and returns what it printed. Throws
 * Blocked with its last words on stderr if it exits with another status than 0 or takes too long; then all that it started
 * is ended too.
 */
export const runProfileCommand = async (
  profile: Profile,
  line: string,
  { env, timeoutMs, ended }: CommandRun,
): Promise<string> => {
  const child = spawn(String(profileLine(profile, line)), {
    shell: true,
    detached: true,
    cwd: dirname(resolve(profile.file)),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const told = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', chunk => (told[name] += chunk))
  const late = AbortSignal.any([ended, AbortSignal.timeout(Math.max(1, Math.round(timeoutMs)))])
  const closed = once(child, 'close').catch(() => undefined)
  try {
    const [code, signal] = (await once(child, 'exit', { signal: late })) as [number | null, string | null]
    await Promise.race([closed, pause(LAST_OUTPUT_MS, undefined, { ref: false })])
    if (code !== 0)
      throw new Blocked(`${line} ended with ${code ?? signal}${lastWords(told.stderr)}: it must exit with 0`)
    return told.stdout
  } catch (error) {
    if (error instanceof Blocked) throw error
    endGroup(child.pid)
    throw new Blocked(
      late.aborted
        ? `${line} took longer than ${Math.round(timeoutMs / 1000)} s${lastWords(told.stderr)}`
        : `${line} could not be started: ${(error as Error).message}`,
    )
  } finally {
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

const lastWords = (text: string): string => {
  const last = text.trim().split('\n').at(-1) ?? ''
  return last === '' ? '' : ` (${last.slice(0, 200)})`
}

/** Ends a process and all that it started; nothing where that has ended by itself. */
const endGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {}
}
