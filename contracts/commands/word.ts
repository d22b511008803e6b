import { parseArgs } from 'node:util'
import { UsageError } from '../harness/registry.ts'

type Option = { value?: string; help: string; many?: true; short?: string }

/** Every option of every word, said once. An option without `value` is a switch. */
// biome-ignore format: a table reads by its columns
export const OPTIONS = {
  profile:        { value: 'FILE', help: 'where the deployment is and how it spells things' },
  'base-url':     { value: 'URL',  help: "another address than the profile's" },
  kit:            { value: 'PATH', help: 'another kit: the folder, or its kit.json' },
  control:        { value: 'URL',  help: 'another control address (only a simulator has one)' },
  only:           { value: 'IDS',  help: 'these checks or sections and their controls: --only IDM-15,SIG', many: true },
  tier:           { value: 'N',    help: '1 reads, 2 writes that must be refused, 3 sandbox writes (the usual), 4, 5' },
  'confirm-host': { value: 'HOST', help: 'the host of a production address, typed once more' },
  report:         { value: 'DIR',  help: 'write all reports, transcript, ledger and certificate into this folder' },
  junit:          { value: 'FILE', help: 'write the results as JUnit XML' },
  'sign-key':     { value: 'FILE', help: 'private key, PEM or JWK, that signs the certificate; else one is made for it' },
  key:            { value: 'FILE', help: 'public key, PEM or JWK, that must have signed the certificate' },
  write:          { help: 'write what was learned into the profile' },
  'dry-run':      { help: 'say what would be done, and do nothing' },
  json:           { help: 'answer as JSON' },
  help:           { help: 'this text', short: 'h' },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS
export type Values = Partial<Record<Exclude<OptionName, 'write' | 'dry-run' | 'json' | 'help' | 'only'>, string>> & {
  only?: string[]
  write?: boolean
  'dry-run'?: boolean
  json?: boolean
  help?: boolean
}

/** One word of the command: how it is used, what it takes, and what it does. */
export type Word = {
  usage: string
  /** What `--help` says beneath the usage. */
  teaches: string
  takes: readonly OptionName[]
  /** How many operands it wants at least and at most; none where left out. */
  operands?: readonly [least: number, most: number]
  act(values: Values, operands: readonly string[]): Promise<number>
}

/** Runs a word, or tells how it is used. */
export const perform = async (name: string, word: Word, argv: readonly string[]): Promise<number> => {
  const { values, positionals } = read(name, word, argv)
  if (values.help) {
    process.stdout.write(helpOf(word))
    return 0
  }
  const [least, most] = word.operands ?? [0, 0]
  if (positionals.length < least || positionals.length > most)
    throw new UsageError(`Write it as: assay certify ${word.usage}.`)
  return word.act(values, positionals)
}

const read = (name: string, word: Word, argv: readonly string[]): { values: Values; positionals: string[] } => {
  const names = [...word.takes, 'help'] as const
  const options = Object.fromEntries(names.map(option => [option, optionOf(option)]))
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    return { values: values as Values, positionals }
  } catch (error) {
    const fault = (error as Error).message.split('. ')[0]
    throw new UsageError(`${fault}: "assay certify ${name} --help" tells the options.`)
  }
}

const optionOf = (name: OptionName) => {
  const row: Option = OPTIONS[name]
  const type: 'string' | 'boolean' = row.value === undefined ? 'boolean' : 'string'
  return { type, ...(row.many && { multiple: true }), ...(row.short && { short: row.short }) }
}

const WIDTH = 19

/** What a word is for and what it takes. */
export const helpOf = ({ usage, teaches, takes }: Word): string => {
  const rows = [...takes, 'help' as const].map(name => {
    const row: Option = OPTIONS[name]
    return `  ${`--${name} ${row.value ?? ''}`.trimEnd().padEnd(WIDTH)} ${row.help}`
  })
  return `assay certify ${usage}\n\n${teaches.trim()}\n\n${rows.join('\n')}\n`
}

/** Something for eyes, or for programs where JSON was asked for. */
export const tell = ({ json }: Values, data: () => unknown, text: () => string): void => {
  process.stdout.write(json ? `${JSON.stringify(data(), null, 2)}\n` : text())
}
