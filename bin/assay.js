#!/usr/bin/env node
// Command line of Assay: runs a subcommand. Every Node since 18 can read this file, to tell an old one what is missing.
import { readFileSync } from 'node:fs'
import module from 'node:module'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'
import { installedNode, isNewEnough, launch, launcher, newerNodeSentence } from './run-with-newer-node.js'

/** @type {Record<string, { help: string, load: () => Promise<{ main: (argv: string[]) => Promise<number> }> }>} */
const COMMANDS = {
  serve: {
    help: 'run the simulator until it is told to stop',
    load: async () => {
      holdThreads()
      allocateYoung()
      return import('../simulator/commands/serve.ts')
    },
  },
  certify: {
    help: 'judge a deployment by the checks of the contract',
    load: async () => {
      keepYoungGenerationSmall()
      return import('../contracts/certify-command.ts')
    },
  },
  health: {
    help: 'ask a running simulator whether it is well',
    load: () => import('../simulator/commands/health.ts'),
  },
  lab: {
    help: 'tell what is wrong with a signed request',
    load: () => import('../contracts/signature-lab/command.ts'),
  },
  dialect: {
    help: 'describe, compare and import how deployments spell the payment API',
    load: () => import('../contracts/dialect-commands/command.ts'),
  },
  kit: {
    help: 'write the kit of an organization into a folder',
    load: () => import('../fixtures/kit/command.ts'),
  },
  listen: {
    help: 'take webhooks from a sandbox to a server that it cannot call',
    load: () => import('../fixtures/listen/command.ts'),
  },
  scenarios: {
    help: 'check scenario files, or list what they hold',
    load: () => import('../simulator/commands/check-scenario-files.ts'),
  },
  seed: {
    help: 'fill an organization with a plausible month of payments',
    load: () => import('../fixtures/seed/command.ts'),
  },
  drill: {
    help: "grade a merchant's integration by what it does when things go wrong",
    load: () => import('../fixtures/drill/command.ts'),
  },
}

/** The subcommands of "assay certify": for one typed without "certify", the error names the full command. */
const CERTIFY_SUBCOMMANDS = 'init scout plan run resume explore show explain list diff regrade verify cleanup'.split(
  ' ',
)

/** @type {string | undefined} The first error of stdout. */
let unwritten
outliveOutput()
const launchedBy = launcher()
if (launchedBy || ['start', 'exec'].includes(process.env.npm_command ?? '') || isWholeScript())
  endWithParent(launchedBy)
process.exitCode = await run(process.argv.slice(2))
if (process.argv[2] === 'certify') endSoon()

/**
 * Goes on where an output cannot be written, as its disk is full, and ends with code 2 instead of 0. A reader that has seen
 * enough (`| head`) is no fault.
 */
function outliveOutput() {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
    if (code !== 'EPIPE') unwritten ??= code
  })
  process.on('exit', exitCode => {
    if (unwritten === undefined) return
    const code = refuse(`The output cannot be written (${unwritten}): make room for it, or send it elsewhere.`)
    process.exitCode = exitCode || code
  })
}

/**
 * Ends a command whose output is written though something is still under way, such as a timer of a script that a profile
 * names: whoever waits for the exit code would wait for that.
 */
function endSoon() {
  process.stdout.write('', () => process.stderr.write('', () => setTimeout(() => process.exit(), 1000).unref()))
}

/** Whether a script of package.json runs this command and nothing else; another may put a sandbox into the background. */
function isWholeScript() {
  return /^([^&|;]*[\s/])?assay\s[^&|;]*$/.test(process.env.npm_lifecycle_script ?? '')
}

/**
 * Ends as by SIGTERM when the parent is gone: npm and npx end their shell, and not what that started; a launcher that is
 * killed ends nothing.
 */
function endWithParent(parent = process.ppid) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 200)
  watch.unref()
}

/** @param {string[]} argv */
async function run(argv) {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h') return print(overview())
  if (name === '--version' || name === '-v' || name === 'version') return print(version())
  if (name === 'help') return rest[0] === undefined ? print(overview()) : start(rest[0], [...rest.slice(1), '--help'])
  return start(name, rest)
}

/** @param {string} name @param {string[]} argv */
async function start(name, argv) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return refuse(`There is no command "${name}": ${nearest(name)}`)
  if (!isNewEnough()) {
    const node = installedNode()
    return node ? launch(node, [fileURLToPath(import.meta.url), name, ...argv]) : refuse(newerNodeSentence())
  }
  bypassProxyToThisMachine()
  module.enableCompileCache?.() // a third off every start but the first
  try {
    const { main } = await command.load()
    return main(argv)
  } catch (error) {
    const missing = missingPackage(error)
    if (missing === undefined) throw error
    return refuse(`"assay ${name}" needs the package ${missing}: run "npm install ${missing}".`)
  }
}

/** Lets calls to this machine pass by a proxy that Node takes from the environment, where they would mean another machine. */
function bypassProxyToThisMachine() {
  const { NODE_USE_ENV_PROXY, NODE_OPTIONS = '' } = process.env
  if (!NODE_USE_ENV_PROXY && !NODE_OPTIONS.includes('--use-env-proxy')) return
  const name = process.env.no_proxy === undefined ? 'NO_PROXY' : 'no_proxy' // the latter counts more
  const others = process.env[name]
  if (others !== '*') process.env[name] = [others, 'localhost,127.0.0.1,[::1]'].filter(Boolean).join(',')
}

/** The package that an import did not find. @param {unknown} error */
function missingPackage(error) {
  const { code, message = '' } = /** @type {NodeJS.ErrnoException} */ (error)
  return code === 'ERR_MODULE_NOT_FOUND' ? /^Cannot find package '([^']+)'/.exec(message)?.[1] : undefined
}

/** Sets one signing thread for each core, before the first import makes Node's four; more would only take turns. */
function holdThreads() {
  process.env.UV_THREADPOOL_SIZE ??= String(Math.max(2, os.availableParallelism()))
}

/**
 * V8 would at some point allocate arrays of event listeners in its old space, as those of calls that wait outlive a
 * collection; from there they keep each call's objects until a major collection, which a thousand calls then cause
 * (bench/memory/count-major-collections.ts).
 */
function allocateYoung() {
  v8.setFlagsFromString('--no-allocation-site-pretenuring')
}

/** A run keeps its exchanges until its end: room for objects that die young would only add to them (`bench -- --certify`). */
function keepYoungGenerationSmall() {
  v8.setFlagsFromString('--semi-space-growth-factor=1')
}

function overview() {
  const rows = Object.entries(COMMANDS).map(([name, { help }]) => `  ${name.padEnd(11)}${help}`)
  const what =
    'A sandbox for an account-to-account payment API, and the contract tests that certify any deployment of it.'
  const more = [
    `"assay certify" has subcommands of its own: ${CERTIFY_SUBCOMMANDS.join(', ')}.`,
    '"assay help COMMAND" tells its options.',
  ]
  return [what, '', '  assay COMMAND [options]', '', ...rows, '', ...more].join('\n')
}

function version() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

/** The cure: the command that is two letters at most from what was typed, and less than half of its own. @param {string} typed */
function nearest(typed) {
  if (CERTIFY_SUBCOMMANDS.includes(typed)) return `did you mean "assay certify ${typed}"?`
  const within = (/** @type {number} */ slips) =>
    Object.keys(COMMANDS).find(name => slips < name.length / 2 && isWithin(slips, typed, name))
  const name = within(1) ?? within(2)
  return name === undefined ? '"assay --help" lists them.' : `did you mean "assay ${name}"?`
}

/**
 * Whether two words differ by so many letters at most: wrong, missing, too many, or exchanged with the next one.
 * @param {number} slips @param {string} a @param {string} b @returns {boolean}
 */
function isWithin(slips, a, b) {
  if (a === b) return true
  if (a[0] === b[0]) return isWithin(slips, a.slice(1), b.slice(1))
  if (slips === 0) return false
  const isExchanged = a[0] === b[1] && a[1] === b[0]
  return [[1, 0], [0, 1], [1, 1], ...(isExchanged ? [[2, 2]] : [])].some(([ofA, ofB]) =>
    isWithin(slips - 1, a.slice(ofA), b.slice(ofB)),
  )
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
  return 0
}

/** @param {string} sentence */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`)
  return 2
}
