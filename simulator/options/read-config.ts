import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { parseArguments } from '../../contracts/protocol/parse-arguments.ts'
import { parseYaml } from '../support/parse-yaml.ts'
import { StartError } from '../support/start-error.ts'
import { describeExpectedValue, describeGivenValue } from './option-kinds.ts'
import { type Config, OPTIONS, type OptionName, SECURITY_LAYERS, toConfigName, toEnvironmentName } from './options.ts'
import { isServiceLink } from './service-link.ts'

const NAMES = Object.keys(OPTIONS) as OptionName[]

/** Where options come from, the values of those it gives, and how it names an option, if not by its own name. */
type Source = { from: string; values: Readonly<Record<string, string>>; toName?: (name: string) => string }

/**
 * Reads every option of `assay serve` once: flags, then environment, then the file that --config names, then defaults.
 * Throws StartError with one sentence that names the option, where it came from and what would do.
 */
export const readConfig = (argv: readonly string[], environment: NodeJS.ProcessEnv): Config => {
  const flags = readFlags(argv)
  const env = readEnvironment(environment)
  const file = flags.values.config ?? env.values.config
  const sources = file === undefined ? [flags, env] : [flags, env, readFile(file)]
  return checkEnvironment(
    Object.fromEntries(NAMES.map(name => [toConfigName(name), readOption(name, sources)])) as Config,
  )
}

/**
 * Creates the simulator's configuration of defaults and `overrides`, for use in process. Throws StartError as
 * `readConfig` does.
 */
export const defaultConfig = (overrides: Partial<Config> = {}): Config =>
  checkEnvironment({ ...readConfig([], {}), ...overrides })

/** Options whose value `--environment production` does not allow, as it weakens the contract (D-72). */
const NOT_IN_PRODUCTION: Partial<Record<OptionName, (config: Config) => boolean>> = {
  layers: ({ layers }) => layers.length < SECURITY_LAYERS.length,
  'plain-port': ({ plainPort }) => plainPort !== undefined,
  'tls-min': ({ tlsMin }) => tlsMin === '1.2',
  variety: ({ variety }) => variety !== undefined,
  shop: ({ shop }) => shop === 'on',
}

const checkEnvironment = (config: Config): Config => {
  const [name] = Object.entries(NOT_IN_PRODUCTION).find(([, isWeaker]) => isWeaker(config)) ?? []
  if (name === undefined || config.environment !== 'production') return config
  throw new StartError(
    `The option ${name} asks for less than production: drop --${name}, or drop --environment production.`,
  )
}

const readOption = (name: OptionName, sources: readonly Source[]): unknown => {
  const { kind, initial } = OPTIONS[name]
  const source = sources.find(({ values }) => values[name] !== undefined)
  const text = source?.values[name] ?? initial
  if (text === undefined) return undefined
  const value = kind.parse(text)
  if (value === undefined)
    throw new StartError(
      `${source?.from} ${source?.toName?.(name) ?? name} is ${describeGivenValue(kind, text)}: give ${describeExpectedValue(kind)} (${OPTIONS[name].help}).`,
    )
  return value
}

const readFlags = (argv: readonly string[]): Source => {
  const options = Object.fromEntries([...NAMES, 'config'].map(name => [name, { type: 'string' as const }]))
  const args = argv.flatMap((arg, at) =>
    arg === '--accept-loss' && !['yes', 'no'].includes(argv[at + 1] ?? '') ? [arg, 'yes'] : arg,
  )
  const { values } = parseArguments('serve', { args, options }, StartError)
  return { from: 'The flag', values: values as Record<string, string> }
}

const readEnvironment = (environment: NodeJS.ProcessEnv): Source => {
  // A secret that CI does not have is an empty variable: control would be open, and nobody told.
  for (const [name, opened] of [
    ['control-token', 'control'],
    ['metrics-token', 'the metrics'],
  ] as const)
    if (environment[toEnvironmentName(name)] === '')
      throw new StartError(
        `${toEnvironmentName(name)} is empty, and would leave ${opened} open: set the token, or unset it.`,
      )
  const set = [...NAMES, 'config'].flatMap(name => {
    const variable = toEnvironmentName(name)
    const value = environment[variable]
    return value === undefined || value === '' || isServiceLink(variable, value) ? [] : [[name, value] as const]
  })
  return { from: 'The environment variable', values: Object.fromEntries(set), toName: toEnvironmentName }
}

/** Variables that other commands, fixtures and the compose file read. */
const OF_OTHERS = ['ASSAY_URL', 'ASSAY_ORGANIZATION', 'ASSAY_RUN', 'ASSAY_DRILL', 'ASSAY_KIT', 'ASSAY_IMAGE']

/**
 * Returns a sentence for each environment variable that begins with ASSAY_ and is ignored: it names no option, as by a
 * typing error, or is set by an orchestrator.
 */
export const ignoredVariables = (environment: NodeJS.ProcessEnv): string[] => {
  const known = new Set([...[...NAMES, 'config'].map(toEnvironmentName), ...OF_OTHERS])
  return Object.keys(environment).flatMap(variable => {
    if (!variable.startsWith('ASSAY_')) return []
    if (!known.has(variable)) return [`${variable} is not an option and was ignored.`]
    return isServiceLink(variable, environment[variable])
      ? [`${variable} is the link of an orchestrator to a service, not a port, and was ignored.`]
      : []
  })
}

const readFile = (path: string): Source => {
  const { entries, written } = parseFile(path)
  for (const [name, value] of Object.entries(entries)) {
    if (!NAMES.includes(name as OptionName))
      throw new StartError(`${path} has the unknown entry "${name}": "assay serve --help" lists the options.`)
    if (value === null || typeof value === 'object')
      throw new StartError(`${path} gives no plain value for ${name}: write one on the same line.`)
  }
  return {
    from: `In ${path} the entry`,
    values: written,
  }
}

/** Parses the configuration file: the entries by their types, and each as it is written, as 1.10 is not 1.1. */
const parseFile = (path: string): { entries: Record<string, unknown>; written: Record<string, string> } => {
  let [content, written]: unknown[] = []
  try {
    const text = readFileSync(path, 'utf8')
    content = parseYaml(text) ?? {}
    written = parse(text, { schema: 'failsafe', logLevel: 'error' }) ?? {}
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new StartError(`There is no configuration file ${path}: check --config.`)
    if (code === 'EISDIR') throw new StartError(`${path} is a folder: name a file of it with --config.`)
    throw new StartError(`${path} cannot be read as YAML: ${message}.`)
  }
  if (typeof content !== 'object' || Array.isArray(content))
    throw new StartError(`${path} is not a list of option: value entries.`)
  return { entries: content as Record<string, unknown>, written: written as Record<string, string> }
}
