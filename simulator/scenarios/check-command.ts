import { parseArgs } from 'node:util'
import { StartError } from '../start-error.ts'
import { checkFolder, lineOf } from './load.ts'
import type { Scenario } from './scenario.ts'

export const HELP = `Checks scenario files: the built-in ones, and together with them those of a folder of yours.

  assay scenarios [folder] [options]

  --list           name every scenario, with its magic number and title
  --help           this text

  assay scenarios ./my-scenarios

A mistake is one line, file:line:column, that says how to mend it; docs/scenarios.md tells how a file is written.
Exit codes: 0 all is well, 1 something has to be mended, 2 wrong options, or no such folder.
`

const OPTIONS = { list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/** `assay scenarios`: tells what is wrong with scenario files, or how many there are (2.7). */
export const main = async (argv: string[]): Promise<number> => {
  try {
    const { values, positionals } = read(argv)
    if (values.help) return print(HELP)
    const [folder, another] = positionals
    if (another !== undefined)
      return complain(`One folder at a time: "${another}" is the second. "assay scenarios --help" tells the options.`)
    const { scenarios, mistakes, own } = await checkFolder(folder)
    if (mistakes.length > 0) {
      process.stderr.write(`${mistakes.map(lineOf).join('\n')}\n`)
      return 1
    }
    if (values.list) return print(listing(scenarios))
    const part = folder === undefined ? '' : `, ${own} of them from ${folder}`
    return print(`${scenarios.length} scenarios${part}: all is well.\n`)
  } catch (error) {
    if (error instanceof StartError) return complain(error.message)
    throw error
  }
}

const read = (argv: string[]) => {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('. ')[0]}: "assay scenarios --help" tells the options.`)
  }
}

const listing = (scenarios: readonly Scenario[]): string => {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  const inOrder = scenarios.toSorted((a, b) => (a.magic ?? '').localeCompare(b.magic ?? ''))
  const rows = inOrder.map(({ name, magic = '', title }) => `${name.padEnd(width)}  ${magic.padEnd(4)}  ${title}`)
  return `${rows.join('\n')}\n`
}

const print = (text: string): number => {
  process.stdout.write(text)
  return 0
}

const complain = (sentence: string): number => {
  process.stderr.write(`${sentence}\n`)
  return 2
}
