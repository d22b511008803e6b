import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import {
  EXAMPLE_LANGUAGES,
  type ExampleLanguage,
  isInstalled,
  runProgram,
} from '../../test/examples/example-programs.ts'
import { type Cell, type Row, timed } from './cell.ts'

export const LANGUAGES = {
  title: 'Languages',
  about: `Each program of [other-languages.md](other-languages.md) with the kit of a running sandbox, from the start of the program, with its
compilation, to its paid payment.`,
  headings: ['Language', 'here', 'a first payment'],
}

/** Pays with the example of each language whose interpreter or compiler is on this machine. */
export async function* tryLanguages(kitFolder: string, folder: string): AsyncGenerator<Row> {
  for (const language of EXAMPLE_LANGUAGES)
    yield { names: [language.language, versionOf(language)], cells: [await pay(language, kitFolder, folder)] }
}

const pay = async (language: ExampleLanguage, kitFolder: string, folder: string): Promise<Cell> => {
  if (!isInstalled(language)) return { kind: 'not tried', sentence: language.missing }
  const program = language.example(() => mkdtempSync(join(folder, 'program-')))
  return timed(() => runProgram(program, [kitFolder], {}))
}

const versionOf = (language: ExampleLanguage): string => {
  if (!isInstalled(language)) return '–'
  const [command, ...argv] = language.version
  const { stdout, stderr } = spawnSync(command, argv, { encoding: 'utf8' })
  return /\d+(\.\d+)+/.exec(stdout + stderr)?.[0] ?? '?'
}
