import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const runs = (command: string, ...argv: string[]): boolean => spawnSync(command, argv, { stdio: 'ignore' }).status === 0

/** Whether tests can change the limits of a running process on this machine. */
export const canSetLimits = runs('prlimit', '--pid', String(process.pid))

/** Simulates a full disk for a test's process by a file size limit of 0, or ends that. */
export const simulateFullDisk = (pid: number | undefined, isFull: boolean): void => {
  const limited = runs('prlimit', '--pid', String(pid), `--fsize=${isFull ? 0 : 'unlimited'}:unlimited`)
  if (!limited) throw new Error('The limit could not be set.')
}

/** Stops a test's process from opening files by a limit of 0, or ends that; open files stay open. */
export const forbidOpeningFiles = (pid: number | undefined, isCrowded: boolean): void => {
  const [, most] = /^Max open files +\d+ +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? []
  const limited = runs('prlimit', '--pid', String(pid), `--nofile=${isCrowded ? 0 : most}:`)
  if (!limited) throw new Error('The limit could not be set.')
}

/** Returns the command prefix that limits the size of files, in blocks of 512 bytes. */
export const limitFileSize = (blocks: number): string[] => ['sh', '-c', `ulimit -f ${blocks}; exec "$0" "$@"`]

/** Returns the command prefix that limits the number of open files, including Node's own. */
export const limitOpenFiles = (most: number): string[] => ['sh', '-c', `ulimit -n ${most}; exec "$0" "$@"`]

/** Command prefix that drops root's capabilities, so that file permissions apply. */
export const dropCapabilities: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : []

/** Whether tests can mount a file system in a private mount namespace on this machine. */
export const canMount = runs('unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt')

/** Returns the command prefix that mounts a tmpfs with options on a folder. */
export const mountTmpfs = (folder: string, options: string): string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o ${options} none ${folder} && exec "$0" "$@"`,
]
