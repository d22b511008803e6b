import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { parse } from 'yaml'
import { profileFaults } from '../harness/profile-schema.ts'
import { UsageError } from '../harness/registry.ts'
import { writeFile } from '../harness/report-folder.ts'
import type { Values, Word } from './word.ts'

/** Writes a profile to fill in. */
export const word: Word = {
  usage: 'init FILE [--base-url URL] [--kit PATH] [--control URL]',
  teaches: `
Writes a profile whose questions are comments: answer them, or let "scout" learn what it can. What stays a comment makes
checks "untestable", each of which names its line. An existing file is never touched.

  assay certify init ours.yaml --base-url https://sandbox.example.com --kit ../our-kit`,
  takes: ['base-url', 'kit', 'control'],
  operands: [1, 1],
  act: async (values, [file = '']) => {
    if (existsSync(file)) throw new UsageError(`${file} is there already: name another file.`)
    const text = profileText(values, dirname(file))
    const [fault] = profileFaults(parse(text))
    if (fault) throw new UsageError(`Nothing was written: ${fault.message}.`)
    writeFile(file, text)
    process.stdout.write(`${file} is written: fill it in, then "assay certify scout --profile ${file}".\n`)
    return 0
  },
}

const EXAMPLE = new URL('../profiles/example.yaml', import.meta.url)

/** Lines that a profile cannot do without; the others are questions until somebody answers them. */
const ANSWERED = ['name', 'target', 'organization', 'confirmed']

/** The example with all that it cannot know as comments, and with what is known filled in. */
export const profileText = ({ 'base-url': baseUrl, kit, control }: Values, folder = '.'): string => {
  const blocks = readFileSync(EXAMPLE, 'utf8')
    .split(/^(?=[A-Za-z]+:)/m)
    .map(block => {
      const name = /^[A-Za-z]+/.exec(block)?.[0] ?? ''
      if (name === 'target' && baseUrl !== undefined)
        return block.replace(/baseUrl: .*/, `baseUrl: ${JSON.stringify(baseUrl)}`)
      if (name === 'organization' && kit !== undefined)
        return `organization:\n  kit: ${JSON.stringify(relative(folder, kit))}\n\n${restOf(block)}`
      return name === '' || ANSWERED.includes(name) ? block : asQuestion(block)
    })
  const operated = control === undefined ? '' : `\ncontrol:\n  url: ${JSON.stringify(control)}\n`
  return `${blocks.join('').trimEnd()}\n${operated}`
}

/** Comments that stand below a block belong to the next one. */
const restOf = (block: string): string => block.split(/\n\n/).slice(1).join('\n\n')

const asQuestion = (block: string): string => block.replace(/^(?=[^#\n])/gm, '# ')
