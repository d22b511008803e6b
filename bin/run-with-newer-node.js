// Starts the Node that "npm ci" installed in a clone, where the one that runs is too old. Every Node since 18 can read this file.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether this is a clone, whose TypeScript runs as it is; an installed package has JavaScript and needs less. */
const isClone = existsSync(join(dirname(fileURLToPath(import.meta.url)), '../simulator/index.ts'))

/** Oldest version of Node that can run Assay. */
export const OLDEST_NODE = isClone ? '22.18' : '22.14'

/** Whether the Node that runs the command `assay` is new enough for it. */
export function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldest = 0, least = 0] = OLDEST_NODE.split('.').map(Number)
  return major > oldest || (major === oldest && minor >= least)
}

/** Returns the path of the Node that is installed as a dependency of Assay; undefined where there is none. */
export function installedNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`)
  } catch {
    return undefined
  }
}

/** Returns the sentence that says how to get a newer Node. */
export function newerNodeSentence() {
  const isBrought = isClone && process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  const cure = isBrought
    ? 'run "npm ci", which brings one'
    : 'install the newest from https://nodejs.org or by your version manager'
  return `Assay needs Node ${OLDEST_NODE} or later and this is ${process.version}: ${cure}.`
}

/**
 * Runs a command line with the given Node, which is also the "node" of what it starts; passes signals on, and returns
 * its exit code.
 * @param {string} node @param {string[]} argv
 */
export function runWith(node, argv) {
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
  const child = spawn(node, argv, { stdio: 'inherit', env })
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to both.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  return new Promise(resolve => {
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

const LAUNCHER = 'ASSAY_LAUNCHER_PID'

/**
 * Does as `runWith` for a command that asks for its `launcher`.
 * @param {string} node @param {string[]} argv
 */
export function launch(node, argv) {
  process.env[LAUNCHER] = String(process.pid)
  return runWith(node, argv)
}

/** Returns the process id of the launcher of this process; undefined where there is none. Keeps it from what this starts. */
export function launcher() {
  const pid = process.env[LAUNCHER]
  delete process.env[LAUNCHER]
  return pid === undefined ? undefined : Number(pid)
}
