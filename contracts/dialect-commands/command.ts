import { exitCodeOfError, UsageError } from '../harness/run/command-errors.ts'
import { visibleText } from '../protocol/visible-text.ts'
import { type DialectSubcommand, runDialectSubcommand } from './dialect-subcommand.ts'
import { subcommand as diff } from './diff.ts'
import { subcommand as fromOpenApi } from './from-openapi.ts'
import { subcommand as print } from './print.ts'

/** The subcommands of `assay dialect`, by name. */
export const DIALECT_SUBCOMMANDS: Readonly<Record<string, DialectSubcommand>> = {
  print,
  diff,
  'from-openapi': fromOpenApi,
}

export const HELP = `Says how a deployment spells the payment API: prints its description, compares two, imports one.

${Object.entries(DIALECT_SUBCOMMANDS)
  .map(([name, { help }]) => `  assay dialect ${name.padEnd(14)}${help}`)
  .join('\n')}

  assay dialect SUBCOMMAND --help     the options of a subcommand

FILE is a profile, of which only the lines of the dialect count: "assay serve --dialect FILE" speaks it.
Exit codes: 0 done, or the same; 1 two dialects differ; 2 invalid options or files.
`

/** Runs `assay dialect` with its arguments; returns the exit code. */
export const main = async ([name, ...argv]: string[]): Promise<number> => {
  try {
    if (name === undefined || name === '--help' || name === '-h') {
      process.stdout.write(HELP)
      return name === undefined ? 2 : 0
    }
    const subcommand = Object.hasOwn(DIALECT_SUBCOMMANDS, name) ? DIALECT_SUBCOMMANDS[name] : undefined
    if (!subcommand) throw new UsageError(`There is no "${name}": "assay dialect --help" lists the subcommands.`)
    return await runDialectSubcommand(name, subcommand, argv)
  } catch (error) {
    const code = exitCodeOfError(error)
    if (code === undefined) throw error
    process.stderr.write(`${visibleText((error as Error).message)}\n`)
    return code
  }
}
