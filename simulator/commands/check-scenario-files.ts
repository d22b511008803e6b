import { parseArguments } from '../../contracts/protocol/parse-arguments.ts'
import { visibleText } from '../../contracts/protocol/visible-text.ts'
import { checkScenarioFolder, formatMistake } from '../scenarios/open-scenario-catalogue.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { StartError } from '../support/start-error.ts'

export const HELP = `Checks scenario files: the built-in ones, together with those of a folder of your own.

  assay scenarios [folder] [options]

  --list           list every scenario, with its magic number and title
  --help           this text

  assay scenarios ./my-scenarios

An error is one line, file:line:column, with a correction; docs/scenarios.md explains the format.
Exit codes: 0 no errors, 1 errors found, 2 invalid options, or no such folder.
`

const OPTIONS = { list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/** Runs `assay scenarios`: checks scenario files and prints their mistakes, or the number of scenarios (2.7). */
export const main = async (argv: string[]): Promise<number> => {
  try {
    const config = { args: argv, options: OPTIONS, allowPositionals: true }
    const { values, positionals } = parseArguments('scenarios', config, StartError)
    if (values.help) return print(HELP)
    const [folder, another] = positionals
    if (another !== undefined)
      throw new StartError(
        `One folder at a time: "${another}" is the second. "assay scenarios --help" lists the options.`,
      )
    const { scenarios, mistakes, own } = await checkScenarioFolder(folder)
    if (mistakes.length > 0) {
      process.stderr.write(`${visibleText(mistakes.map(formatMistake).join('\n'))}\n`)
      return 1
    }
    if (values.list) return print(listing(scenarios))
    const part = folder === undefined ? '' : `, ${own} of them from ${folder}`
    return print(`${scenarios.length} scenarios${part}: no errors.\n`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${visibleText(error.message)}\n`)
    return 2
  }
}

const listing = (scenarios: readonly Scenario[]): string => {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  const inOrder = scenarios.toSorted((a, b) => (a.magic ?? '').localeCompare(b.magic ?? ''))
  const rows = inOrder.map(({ name, magic = '', title }) => `${name.padEnd(width)}  ${magic.padEnd(4)}  ${title}`)
  return `${rows.join('\n')}\n`
}

const print = (text: string): number => {
  process.stdout.write(visibleText(text))
  return 0
}
