import { existsSync } from 'node:fs'
import { prepareTextFile } from '../harness/report/read-and-write-text-files.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { parseArguments } from '../protocol/parse-arguments.ts'
import { visibleText } from '../protocol/visible-text.ts'

/** One subcommand of `assay dialect`: its usage, its operands and its action. */
export type DialectSubcommand = {
  usage: string
  /** The line that lists it. */
  help: string
  /** Text that `--help` prints below the usage. */
  description: string
  /** Into which file its `--out` writes, if it takes that. */
  writes: keyof typeof OUT | false
  operands: number
  /** Returns the exit code. */
  execute(operands: readonly string[], options: { out?: string }): Promise<number>
}

const OUT = {
  new: '  --out FILE       write into this new file instead of the terminal\n',
  any: '  --out FILE       write into this file, over what it holds, instead of the terminal\n',
}

/** Parses the arguments of a subcommand of `assay dialect` and runs it, or prints its help; throws UsageError. */
export const runDialectSubcommand = async (
  name: string,
  subcommand: DialectSubcommand,
  argv: readonly string[],
): Promise<number> => {
  const { values, positionals } = read(name, subcommand, argv)
  if (values.help) {
    const { usage, description, writes } = subcommand
    process.stdout.write(
      `assay dialect ${usage}\n\n${description.trim()}\n\n${writes ? OUT[writes] : ''}  --help           this text\n`,
    )
    return 0
  }
  if (positionals.length !== subcommand.operands)
    throw new UsageError(`Write it as: assay dialect ${subcommand.usage}.`)
  const { out } = values
  if (out === undefined) return subcommand.execute(positionals, {})
  if (subcommand.writes === 'new' && existsSync(out))
    throw new UsageError(`${out} is there already: name another file.`)
  return subcommand.execute(positionals, { out })
}

const read = (name: string, { writes }: DialectSubcommand, argv: readonly string[]) => {
  const help = { help: { type: 'boolean', short: 'h' } } as const
  const options = writes ? { ...help, out: { type: 'string' } as const } : help
  return parseArguments(`dialect ${name}`, { args: [...argv], options, allowPositionals: true }, UsageError) as {
    values: { help?: boolean; out?: string }
    positionals: string[]
  }
}

/** Writes a result to the terminal, or into a file with a line that says so. */
export const writeResult = (text: string, { out }: { out?: string }): void => {
  if (out === undefined) {
    process.stdout.write(visibleText(text))
    return
  }
  prepareTextFile(out)?.(text)
  process.stdout.write(`${out} is written.\n`)
}
