import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { type Command, commandsOf, DOCUMENTATION_PAGES } from './extract-commands-and-links.ts'

const SCRIPTS = JSON.parse(readSource('package.json')).scripts as Record<string, string>
const all = DOCUMENTATION_PAGES.flatMap(commandsOf)

/** Help texts by command; each is printed once. */
const helpTexts = new Map<string, string>()
const helpOf = (...argv: string[]): string => {
  const name = argv.join(' ')
  const known =
    helpTexts.get(name) ?? execFileSync(process.execPath, ['bin/assay.js', ...argv], { cwd: ROOT }).toString()
  helpTexts.set(name, known)
  return known
}

const line = ({ page, words }: Command) => `${page}: ${words.join(' ')}`
const isOption = (word: string) => word.startsWith('--') && word !== '--'
const optionsIn = (words: readonly string[]) => words.filter(isOption).map(word => word.split('=')[0] ?? '')

/** The commands that have subcommands, with the one that is meant where none is named. */
const USUAL_SUBCOMMAND: Readonly<Record<string, string>> = { certify: 'run', dialect: 'print' }

/** The fault of an `assay …` command: an unknown subcommand, or an option that its help lacks. */
const faultOf = (words: readonly string[]): string | undefined => {
  const [name = '', second = ''] = words
  if (name.startsWith('-')) return undefined
  if (name === 'help') return second === '' ? undefined : faultOf([second])
  if (!new RegExp(`^ {2}${name} `, 'm').test(helpOf('help'))) return `there is no assay ${name}`
  const usual = USUAL_SUBCOMMAND[name]
  const word = usual !== undefined && /^[a-z-]+$/.test(second) && !second.startsWith('-') ? second : undefined
  if (word && !helpOf('help', name).includes(`assay ${name} ${word} `)) return `there is no assay ${name} ${word}`
  const asked = usual === undefined ? ['help', name] : [name, word ?? usual, '--help']
  const help = `${helpOf(...asked)} --help`
  return optionsIn(words).find(option => !new RegExp(`${option}(?![\\w-])`).test(help))
}

describe('commands that the docs name', () => {
  test('every assay command on a page has existing subcommands and options', { timeout: 120_000 }, () => {
    const ours = all.filter(({ words: [first] }) => first === 'assay')
    expect(ours.length).toBeGreaterThan(20)
    const faults = ours.map(command => ({ command, fault: faultOf(command.words.slice(1)) }))
    expect(faults.filter(({ fault }) => fault).map(({ command, fault }) => `${line(command)} – ${fault}`)).toEqual([])
  })

  test('the reference has a section for every command', () => {
    const names = Array.from(helpOf('help').matchAll(/^ {2}([a-z]+) {2,}/gm), ([, name = '']) => name)
    const sections = Array.from(
      readSource('docs/reference.md').matchAll(/^## .*`assay (\w+)`$/gm),
      ([, name = '']) => name,
    )
    expect(sections.toSorted()).toEqual(names.toSorted())
  })

  test('options after "npm run … --" exist', { timeout: 120_000 }, () => {
    const passed = all.flatMap(({ page, words }) => {
      const [npm, run, script = ''] = words
      const name = run === 'run' ? script : run === 'start' ? 'start' : undefined
      const to = name === undefined ? undefined : /^node bin\/assay\.js (\w+)$/.exec(SCRIPTS[name] ?? '')?.[1]
      const begin = words.indexOf('--')
      return npm === 'npm' && to && begin > 0 ? [{ page, words: [to, ...words.slice(begin + 1)] }] : []
    })
    expect(passed.length).toBeGreaterThan(3)
    expect(passed.filter(({ words }) => faultOf(words)).map(line)).toEqual([])
  })

  test('every npm script on a page exists', () => {
    const wanted = all.flatMap(({ page, words: [npm, run, script = ''] }) => {
      if (npm !== 'npm') return []
      return run === 'run' ? [{ page, script }] : run === 'start' || run === 'test' ? [{ page, script: run }] : []
    })
    expect(wanted.length).toBeGreaterThan(10)
    expect(wanted.filter(({ script }) => !Object.hasOwn(SCRIPTS, script))).toEqual([])
  })

  test('every project file in a command exists', () => {
    const path = /(?<![\w.-])(?:examples|contracts|test|docs|scenarios|simulator)\/[\w./-]+/g
    const named = all.flatMap(({ page, words }) =>
      words
        .filter(word => !word.includes('://'))
        .flatMap(word => Array.from(word.matchAll(path), ([file]) => ({ page, file }))),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([])
  })
})
