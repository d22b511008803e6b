import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const runs = (command: string, ...argv: string[]): boolean => spawnSync(command, argv, { stdio: 'ignore' }).status === 0

/** Whether the limits of a process that runs can be changed here. */
export const canLimit = runs('prlimit', '--pid', String(process.pid))

/** From now on no file of this process can be written, or all can again: what a full disk does, without one. */
export const setFull = (pid: number | undefined, isFull: boolean): void => {
  const limited = runs('prlimit', '--pid', String(pid), `--fsize=${isFull ? 0 : 'unlimited'}:unlimited`)
  if (!limited) throw new Error('The limit could not be set.')
}

/** From now on no file of this process can be opened, or all can again; what is open stays so. */
export const setCrowded = (pid: number | undefined, isCrowded: boolean): void => {
  const [, most] = /^Max open files +\d+ +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? []
  const limited = runs('prlimit', '--pid', String(pid), `--nofile=${isCrowded ? 0 : most}:`)
  if (!limited) throw new Error('The limit could not be set.')
}

/** Blocks of 512 bytes up to which files may grow, as a command before the command. */
export const withFilesUpTo = (blocks: number): string[] => ['sh', '-c', `ulimit -f ${blocks}; exec "$0" "$@"`]

/** So many files may be open at once, those of Node itself among them. */
export const withOpenFiles = (most: number): string[] => ['sh', '-c', `ulimit -n ${most}; exec "$0" "$@"`]

/** Permissions bind root too. */
export const withoutPowers: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : []

/** Whether a file system can be mounted here, for one process alone. */
export const canMount = runs('unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt')

/** On a folder that is a file system of its own, mounted so. */
export const withMounted = (folder: string, options: string): string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o ${options} none ${folder} && exec "$0" "$@"`,
]
