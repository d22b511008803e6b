import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { parseArguments } from '../protocol/parse-arguments.ts'
import { visibleJson, visibleText } from '../protocol/visible-text.ts'

type Option = { value?: string; help: string; many?: true; short?: string }

/** The command-line options of all subcommands of `assay certify`. An option without `value` is a switch. */
// biome-ignore format: a table reads by its columns
export const CERTIFY_OPTIONS = {
  profile:        { value: 'FILE', help: 'the deployment: its address, credentials and dialect' },
  'base-url':     { value: 'URL',  help: "address to use instead of the profile's" },
  kit:            { value: 'PATH', help: 'kit to use instead: the folder, or its kit.json' },
  control:        { value: 'URL',  help: 'control address to use instead (only a simulator has one)' },
  only:           { value: 'IDS',  help: 'these checks or sections and their controls: --only IDM-15,SIG', many: true },
  tier:           { value: 'N',    help: '1 reads (default of scout), 2 writes that must be refused, 3 sandbox writes (default), 4, 5' },
  patience:       { value: 'TIME', help: 'longest time to really wait for one step, such as PT10M' },
  ask:            { help: 'ask a person at this terminal to act as the shopper' },
  'confirm-host': { value: 'HOST', help: 'the host of a production address, as confirmation' },
  report:         { value: 'DIR',  help: 'write all that the run shows into this folder, such as reports, transcript, ledger and certificate' },
  junit:          { value: 'FILE', help: 'write the results as JUnit XML' },
  'sign-key':     { value: 'FILE', help: 'private key, PEM or JWK, that signs the certificate of conformance; generated if absent' },
  key:            { value: 'FILE', help: 'public key, PEM or JWK, that must have signed the certificate' },
  strict:         { help: 'count a check that differs as failed' },
  seed:           { value: 'N',    help: 'what the calls are drawn from; the same seed draws the same calls (1)' },
  calls:          { value: 'N',    help: 'calls to make (1000)' },
  'until-covered': { help: 'go on until each transition of the lifecycle was visited, for 100000 calls at most' },
  replay:         { value: 'FILE', help: 'play the sequence of this file again instead' },
  patch:          { value: 'FILE', help: 'write the patch of the profile into this file' },
  write:          { help: 'write the findings into the profile' },
  'dry-run':      { help: 'list what would be done, without doing it' },
  json:           { help: 'print JSON' },
  help:           { help: 'this text', short: 'h' },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof CERTIFY_OPTIONS
export type OptionValues = Partial<
  Record<
    Exclude<OptionName, 'strict' | 'ask' | 'write' | 'dry-run' | 'json' | 'help' | 'only' | 'until-covered'>,
    string
  >
> & {
  only?: string[]
  strict?: boolean
  ask?: boolean
  write?: boolean
  'dry-run'?: boolean
  'until-covered'?: boolean
  json?: boolean
  help?: boolean
}

/** One subcommand of `assay certify`: its usage, options, operands and action. */
export type Subcommand = {
  usage: string
  /** Text that `--help` prints below the usage. */
  description: string
  options: readonly OptionName[]
  /** Minimum and maximum number of operands; none where left out. */
  operands?: readonly [least: number, most: number]
  execute(values: OptionValues, operands: readonly string[]): Promise<number>
}

/** Parses the arguments of a subcommand and runs it, or prints its help; returns the exit code. */
export const runSubcommand = async (name: string, subcommand: Subcommand, argv: readonly string[]): Promise<number> => {
  const { values, positionals } = read(name, subcommand, argv)
  if (values.help) {
    process.stdout.write(subcommandHelp(subcommand))
    return 0
  }
  const [least, most] = subcommand.operands ?? [0, 0]
  if (positionals.length < least || positionals.length > most)
    throw new UsageError(`Write it as: assay certify ${subcommand.usage}.`)
  return subcommand.execute(values, positionals)
}

const read = (name: string, subcommand: Subcommand, argv: readonly string[]) => {
  const options = Object.fromEntries([...subcommand.options, 'help' as const].map(option => [option, optionOf(option)]))
  const config = { args: [...argv], options, allowPositionals: true }
  const { values, positionals } = parseArguments(`certify ${name}`, config, UsageError)
  return { values: values as OptionValues, positionals }
}

const optionOf = (name: OptionName) => {
  const row: Option = CERTIFY_OPTIONS[name]
  const type: 'string' | 'boolean' = row.value === undefined ? 'boolean' : 'string'
  return { type, ...(row.many && { multiple: true }), ...(row.short && { short: row.short }) }
}

const WIDTH = 19

/** Returns the help text of a subcommand: usage, description and options. */
const subcommandHelp = ({ usage, description, options }: Subcommand): string => {
  const rows = [...options, 'help' as const].map(name => {
    const row: Option = CERTIFY_OPTIONS[name]
    return `  ${`--${name} ${row.value ?? ''}`.trimEnd().padEnd(WIDTH)} ${row.help}`
  })
  return `assay certify ${usage}\n\n${description.trim()}\n\n${rows.join('\n')}\n`
}

/**
 * Prints the result of a subcommand to stdout, as text or with --json as JSON; text of others in it cannot act on the
 * terminal.
 */
export const printResult = ({ json }: OptionValues, data: () => unknown, text: () => string): void => {
  process.stdout.write(json ? visibleJson(`${JSON.stringify(data(), null, 2)}\n`) : visibleText(text()))
}

/** Throws a UsageError for the first of these options that is given and of no use, so that none is silently ignored. */
export const refuseUnused = (values: OptionValues, unused: readonly OptionName[], form: string): void => {
  const option = unused.find(name => values[name] !== undefined)
  if (option !== undefined) throw new UsageError(`--${option} is of no use ${form}: leave it out.`)
}

/** Throws a UsageError where a key is to sign a certificate and no folder is named for it. */
export const refuseKeyWithoutReport = ({ report, 'sign-key': key }: OptionValues): void => {
  if (key !== undefined && report === undefined)
    throw new UsageError('--sign-key signs a certificate, which only --report writes: add --report DIR.')
}

/** Prints to stderr why a subcommand ended before its time; returns the exit code for that. */
export const unfinished = (why: string): number => {
  process.stderr.write(`${visibleText(why)}\n`)
  return EXIT_CODES.incomplete
}
