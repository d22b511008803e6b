import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { parse } from 'yaml'
import { readKit } from '../client/credentials.ts'
import { findProfileIssues } from '../harness/profile/profile-validation.ts'
import { prepareTextFile } from '../harness/report/read-and-write-text-files.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { OptionValues, Subcommand } from './subcommand.ts'

/** Subcommand `assay certify init`: writes a profile to fill in. */
export const subcommand: Subcommand = {
  usage: 'init FILE [--base-url URL] [--kit PATH] [--control URL]',
  description: `
Writes a profile whose open questions are comments: answer them, or let "scout" find out what it can. Lines that stay
comments make checks "untestable", each of which names its line. An existing file is never changed.

  assay certify init ours.yaml --base-url https://sandbox.example.com --kit ../our-kit`,
  options: ['base-url', 'kit', 'control'],
  operands: [1, 1],
  execute: async (values, [file = '']) => {
    if (existsSync(file)) throw new UsageError(`${file} is there already: name another file.`)
    if (values.kit !== undefined) readKit(values.kit)
    const text = initialProfileText(values, dirname(file))
    const [issue] = findProfileIssues(parse(text))
    if (issue) throw new UsageError(`Nothing was written: ${issue.message}.`)
    prepareTextFile(file)?.(text)
    process.stdout.write(`${file} is written: fill it in, then "assay certify scout --profile ${shellWord(file)}".\n`)
    return 0
  },
}

const EXAMPLE = new URL('../profiles/example.yaml', import.meta.url)

/** Required blocks of a profile; the others are written as comments. */
const REQUIRED_BLOCKS = ['name', 'target', 'organization', 'confirmed']

/** Creates the text of a new profile: the example, the options filled in, every optional block as a comment. */
const initialProfileText = ({ 'base-url': baseUrl, kit, control }: OptionValues, folder = '.'): string => {
  const blocks = readFileSync(EXAMPLE, 'utf8')
    .split(/^(?=[A-Za-z]+:)/m)
    .map(block => {
      const name = /^[A-Za-z]+/.exec(block)?.[0] ?? ''
      if (name === 'target' && baseUrl !== undefined)
        return block.replace(/baseUrl: .*/, () => `baseUrl: ${JSON.stringify(baseUrl)}`)
      if (name === 'organization' && kit !== undefined)
        return `organization:\n  kit: ${JSON.stringify(relative(folder, kit))}\n\n${restOf(block)}`
      return name === '' || REQUIRED_BLOCKS.includes(name) ? block : commentedOut(block)
    })
  const controlBlock = control === undefined ? '' : `\ncontrol:\n  url: ${JSON.stringify(control)}\n`
  return `${blocks.join('').trimEnd()}\n${controlBlock}`
}

/** Returns the comments below a block, which belong to the next one. */
const restOf = (block: string): string => block.split(/\n\n/).slice(1).join('\n\n')

const commentedOut = (block: string): string => block.replace(/^(?=[^#\n])/gm, '# ')
