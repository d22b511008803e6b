import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { runInProcess } from '../support/run-in-process.ts'
import { type Command, commandsOf, DOCUMENTATION_PAGES } from './extract-commands-and-links.ts'

const SCRIPTS = JSON.parse(readSource('package.json')).scripts as Record<string, string>
const all = DOCUMENTATION_PAGES.flatMap(commandsOf)

/** The file of each command, as bin/assay.js loads it. */
const FILES = new Map(
  Array.from(
    readSource('bin/assay.js').matchAll(/^ {2}(\w+): \{\n(?:.*\n)*?.*import\('(.+)'\)/gm),
    ([, name, file]) => [name, file] as const,
  ),
)

/** Help texts by command; each is printed once, that of all commands by a process. */
const helpTexts = new Map<string, string>()
const helpOf = async (...argv: string[]): Promise<string> => {
  const name = argv.join(' ')
  const known = helpTexts.get(name) ?? (await printedHelp(argv))
  helpTexts.set(name, known)
  return known
}
const printedHelp = async ([first = '', ...more]: readonly string[]): Promise<string> => {
  if (first === 'help' && more.length === 0)
    return execFileSync(process.execPath, ['bin/assay.js', first], { cwd: ROOT }).toString()
  const [command, argv] = first === 'help' ? [more[0], ['--help']] : [first, more]
  const { main } = await import(join(ROOT, 'bin', String(FILES.get(command))))
  return (await runInProcess(main, argv)).out
}

const line = ({ page, words }: Command) => `${page}: ${words.join(' ')}`
const isOption = (word: string) => word.startsWith('--') && word !== '--'
const optionsIn = (words: readonly string[]) => words.filter(isOption).map(word => word.split('=')[0] ?? '')

/** The commands that have subcommands, with the one that is meant where none is named. */
const USUAL_SUBCOMMAND: Readonly<Record<string, string>> = { certify: 'run', dialect: 'print' }

/** The fault of an `assay …` command: an unknown subcommand, or an option that its help lacks. */
const faultOf = async (words: readonly string[]): Promise<string | undefined> => {
  const [name = '', second = ''] = words
  if (name.startsWith('-')) return undefined
  if (name === 'help') return second === '' ? undefined : faultOf([second])
  if (!new RegExp(`^ {2}${name} `, 'm').test(await helpOf('help'))) return `there is no assay ${name}`
  const usual = USUAL_SUBCOMMAND[name]
  const word = usual !== undefined && /^[a-z-]+$/.test(second) && !second.startsWith('-') ? second : undefined
  if (word && !(await helpOf('help', name)).includes(`assay ${name} ${word} `))
    return `there is no assay ${name} ${word}`
  const asked = usual === undefined ? ['help', name] : [name, word ?? usual, '--help']
  const help = `${await helpOf(...asked)} --help`
  return optionsIn(words).find(option => !new RegExp(`${option}(?![\\w-])`).test(help))
}

describe('commands that the docs name', () => {
  test('every assay command on a page has existing subcommands and options', async () => {
    const ours = all.filter(({ words: [first] }) => first === 'assay')
    expect(ours.length).toBeGreaterThan(20)
    const faults = []
    for (const command of ours) faults.push({ command, fault: await faultOf(command.words.slice(1)) })
    expect(faults.filter(({ fault }) => fault).map(({ command, fault }) => `${line(command)} – ${fault}`)).toEqual([])
  })

  test('the reference has a section for every command', async () => {
    const names = Array.from((await helpOf('help')).matchAll(/^ {2}([a-z]+) {2,}/gm), ([, name = '']) => name)
    const sections = Array.from(
      readSource('docs/reference.md').matchAll(/^## .*`assay (\w+)`$/gm),
      ([, name = '']) => name,
    )
    expect(sections.toSorted()).toEqual(names.toSorted())
  })

  test('options after "npm run … --" exist', async () => {
    const passed = all.flatMap(({ page, words }) => {
      const [npm, run, script = ''] = words
      const name = run === 'run' ? script : run === 'start' ? 'start' : undefined
      const to = name === undefined ? undefined : /^node bin\/assay\.js (\w+)$/.exec(SCRIPTS[name] ?? '')?.[1]
      const begin = words.indexOf('--')
      return npm === 'npm' && to && begin > 0 ? [{ page, words: [to, ...words.slice(begin + 1)] }] : []
    })
    expect(passed.length).toBeGreaterThan(3)
    for (const command of passed)
      expect([line(command), await faultOf(command.words)]).toEqual([line(command), undefined])
  })

  test('every npm script on a page exists', () => {
    const wanted = all.flatMap(({ page, words: [npm, run, script = ''] }) => {
      if (npm !== 'npm') return []
      return run === 'run' ? [{ page, script }] : run === 'start' || run === 'test' ? [{ page, script: run }] : []
    })
    expect(wanted.length).toBeGreaterThan(10)
    expect(wanted.filter(({ script }) => !Object.hasOwn(SCRIPTS, script))).toEqual([])
  })

  test('every filter after "npm test --" is a part of the name of a test file', () => {
    const files = globSync('test/**/*.test.ts', { cwd: ROOT })
    const filters = all.flatMap(({ page, words }) => {
      const begin = words.indexOf('--')
      if (words[0] !== 'npm' || words[1] !== 'test' || begin < 0) return []
      const given = words.slice(begin + 1)
      const end = given.findIndex(word => /^[-#]/.test(word))
      return (end < 0 ? given : given.slice(0, end)).map(filter => ({ page, filter }))
    })
    expect(filters.length).toBeGreaterThan(10)
    expect(filters.filter(({ filter }) => !files.some(file => file.includes(filter)))).toEqual([])
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
