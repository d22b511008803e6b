import { rmSync, writeFileSync } from 'node:fs'
import v8 from 'node:v8'
import { healthUrlFile } from '../../contracts/client/sandbox-address.ts'
import { firstTerminationSignal } from '../../contracts/client/termination-signals.ts'
import { packageVersion } from '../../contracts/package-version.ts'
import { visibleText } from '../../contracts/protocol/visible-text.ts'
import { type Config, OPTIONS, toEnvironmentName } from '../options/options.ts'
import { ignoredVariables, readConfig } from '../options/read-config.ts'
import { type Simulator, startSimulator } from '../simulator.ts'
import { createClock, isoTime } from '../support/clock.ts'
import { mapOpenFilesError, StartError } from '../support/start-error.ts'

/** Runs `assay serve`: the sandbox until SIGINT, SIGTERM or SIGHUP; the exit code is 0, or 2 where it could not start. */
export const main = async (argv: string[]): Promise<number> => {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help())
    return 0
  }
  let isJson = asksForJson(argv, process.env)
  let ignored: readonly string[] = []
  try {
    outliveOutput()
    const ended = firstTerminationSignal()
    const config = readConfig(argv, process.env)
    isJson = config.log === 'json'
    ignored = ignoredVariables(process.env)
    const simulator = await startSimulator(config)
    await announce(simulator, healthUrlFile(config.dataDir))
    const tell = createTeller(simulator, config)
    for (const note of [...ignored, ...unusedOptions(config), ...openControl(config, simulator), ...simulator.notes])
      tell.note(note)
    tell.ready()
    setEngineOptions()
    tell.ending(await ended)
    await simulator.close()
    rmSync(healthUrlFile(config.dataDir), { force: true })
    // A write that nobody reads holds the process, and process.exit too: everything else is closed by now.
    if (simulator.logger?.isUnread()) process.kill(process.pid, 'SIGKILL')
    return 0
  } catch (thrown) {
    const error = mapOpenFilesError(thrown)
    if (!(error instanceof StartError)) throw error
    process.stderr.write((isJson ? linesOfFailure : sentencesOfFailure)(ignored, error.message))
    return 2
  }
}

/** Options of V8 for a service: collect old objects earlier, and compile hot code once and soon instead of twice. */
const ENGINE_OPTIONS = ['--heap-growing-percent=40', '--no-maglev', '--invocation-count-for-turbofan=300']

/**
 * Sets the options of V8 for a process that serves, once its code is loaded: on the command line they would void the
 * compiled code that Node brings of its own modules, a third of a start.
 */
const setEngineOptions = (): void => {
  for (const option of ENGINE_OPTIONS) v8.setFlagsFromString(option)
}

/** Whether flags or environment ask for `--log json`, also where other options are wrong. */
const asksForJson = (argv: readonly string[], environment: NodeJS.ProcessEnv): boolean =>
  (/^--log[=\n](.*)$/m.exec(argv.join('\n'))?.[1] ?? environment[toEnvironmentName('log')]) === 'json'

const sentencesOfFailure = (notes: readonly string[], why: string): string =>
  [...notes.map(note => `Note: ${note}`), why].map(line => `${visibleText(line)}\n`).join('')

/** Returns the JSON lines of a start that failed, in the form of those of the logger. */
const linesOfFailure = (notes: readonly string[], why: string): string => {
  const time = isoTime(createClock().real())
  const line = (level: string, text: string) => `${JSON.stringify({ level, time, msg: visibleText(text) })}\n`
  return [...notes.map(note => line('warn', note)), line('fatal', why)].join('')
}

/** Writes where the sandbox runs, for the commands that look for it; ends the start where that is impossible. */
const announce = async (simulator: Simulator, file: string): Promise<void> => {
  try {
    writeFileSync(file, `${simulator.healthUrl}\n`)
  } catch (error) {
    await simulator.close()
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`${file} cannot be written (${code}): make way for it, or choose another --data-dir.`)
  }
}

/** Keeps the sandbox serving where its output cannot be written, as its disk is full or its reader is gone. */
const outliveOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => undefined)
}

/** Creates what tells of the start and the end: sentences for people, or JSON lines with `--log json`. */
const createTeller = (simulator: Simulator, config: Config) => {
  const { logger, apiUrl, plainUrl, pagesUrl, layersOff, seed, kitFolder } = simulator
  if (logger)
    return {
      note: (note: string) => logger.warn(note),
      ready: () =>
        logger.info('ready', { version: packageVersion(), apiUrl, plainUrl, pagesUrl, layersOff, seed, kitFolder }),
      ending: (signal: string) => logger.info('finishing the calls under way', { signal }),
    }
  return {
    note: (note: string) => void process.stderr.write(`Note: ${visibleText(note)}\n`),
    ready: () => void process.stdout.write(greeting(simulator, config)),
    ending: (signal: string) => void process.stdout.write(`${signal}: finishing the calls under way\n`),
  }
}

// biome-ignore format: a table reads by its columns
/** Options that change nothing beside the value of another one. */
const UNUSED: readonly (readonly [option: string, beside: string, isUnused: (config: Config) => boolean])[] = [
  ['--log-level',         'without --log json',            ({ log, logLevel }) => log === 'text' && logLevel !== OPTIONS['log-level'].initial],
  ['--metrics-token',     'without --metrics on',          ({ metrics, metricsToken }) => metrics === 'off' && metricsToken !== undefined],
  ['--store-connections', 'without --store',               ({ store, storeConnections }) => store === undefined && String(storeConnections) !== OPTIONS['store-connections'].initial],
  ['--accept-loss',       'with --store',                  ({ store, acceptLoss }) => store !== undefined && acceptLoss === 'yes'],
  ['--scenarios',         'with --environment production', ({ environment, scenarios }) => environment === 'production' && scenarios !== undefined],
]

/** Says which options change nothing beside the others. */
const unusedOptions = (config: Config): string[] =>
  UNUSED.flatMap(([option, beside, isUnused]) => (isUnused(config) ? [`${option} has no effect ${beside}.`] : []))

/** Says where control is open to more than this machine. */
const openControl = ({ host, controlToken }: Config, { healthUrl }: Simulator): string[] =>
  controlToken !== undefined || /^(127\.|::1$|localhost$)/.test(host)
    ? []
    : [
        `Control and the portal are open to all who reach port ${new URL(healthUrl).port} of ${host}: set ASSAY_CONTROL_TOKEN.`,
      ]

/** Returns the text that is printed when the sandbox is ready. */
const greeting = (
  { apiUrl, plainUrl, pagesUrl, layersOff, seed, kitFolder }: Simulator,
  { environment, tlsMin }: Pick<Config, 'environment' | 'tlsMin'>,
): string => {
  const what = environment === 'sandbox' ? 'a sandbox' : `a sandbox that keeps the rules of ${environment}`
  const lines = [
    ['API', apiUrl],
    ['Plain', plainUrl],
    ['Off', layersOff.join(', ')],
    ['TLS', tlsMin === '1.2-exception' ? '1.2 is accepted, by the declared exception of 5.1' : undefined],
    ['Pages', pagesUrl],
    ['Kit', `${kitFolder}/kit.json`],
  ]
  const rows = lines.flatMap(([name = '', value]) => (value ? [`  ${name.padEnd(6)} ${value}\n`] : []))
  const varied = seed === undefined ? '' : `Variety ${seed} (repeat with --variety ${seed})\n`
  return `Assay is ready: ${what}, no real money, no bank.\n${varied}${rows.join('')}`
}

/** Width of the help's first column, in characters. */
const WIDTH = 36

const help = (): string => {
  const rows = Object.entries(OPTIONS).map(([name, { kind, initial, help: text }]) => {
    const shape = `--${name} ${kind.shape}`
    const begin = shape.length > WIDTH ? `${shape}\n  ${' '.repeat(WIDTH)}` : shape.padEnd(WIDTH)
    return `  ${begin} ${text}${initial ? ` (${initial})` : ''}`
  })
  return `Runs the sandbox: the API over mutual TLS, pages and control over HTTP, one SQLite file.

  assay serve [options]

${rows.join('\n')}
  ${'--config FILE'.padEnd(WIDTH)} a YAML file with the same names: api-port: 9443

Every option is also an environment variable: --api-port is ${toEnvironmentName('api-port')}.
Flags take precedence over the environment, the environment over the file, the file over the defaults.
Durations are ISO 8601, in days, hours, minutes and seconds: PT2S, PT5M, P1D. Port 0 picks a free port and prints it.

  assay serve --api-port 0 --pages-port 0 --data-dir /tmp/assay
`
}
