import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** The npm scripts whose file reads options, with that file. */
const READING_OPTIONS = Object.entries(scripts).flatMap(([name, script]) => {
  const file = /^node bin\/run\.js (\S+\.ts)/.exec(script)?.[1]
  return file && /parseArgs|readScriptArguments/.test(readFileSync(join(ROOT, file), 'utf8'))
    ? [[name, file] as const]
    : []
})

test('no npm script shows a stack trace for a wrong option', () => {
  expect(READING_OPTIONS.length).toBeGreaterThan(8)
  const bare = READING_OPTIONS.filter(([, file]) => readFileSync(join(ROOT, file), 'utf8').includes('parseArgs'))
  expect(bare.map(([name]) => name)).toEqual([])
})

test('a wrong option ends an npm script with a sentence and exit code 2', () => {
  const file = READING_OPTIONS.find(([name]) => name === 'crash')?.[1] ?? ''
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, file), '--bogus'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^Unknown option '--bogus': this script knows --[^\n]+\.\n$/),
  })
})

/** Scripts that choose by words, or take none, with words that none of them knows. */
// biome-ignore format: a table reads by its columns
const CHOOSING: readonly (readonly [script: string, argv: readonly string[], said: RegExp])[] = [
  ['matrix',          ['3'],              /^Unexpected argument '3': this script knows no options\.\n$/],
  ['matrix',          ['--only', 'TOK'],  /^Unknown option '--only': this script knows no options\.\n$/],
  ['explore:mutants', ['--nonsense'],     /^Unknown option '--nonsense': this script knows no options\.\n$/],
  ['explore:mutants', ['nonsense'],       /^No mutant's description has "nonsense": give a word of one, or none for all\.\n$/],
  ['explore:mutants', ['once', 'twice'],  /^Give one word: npm run explore:mutants -- WORD\n$/],
  ['explore:drawn',   ['many'],           /^"many" is no number: npm run explore:drawn -- COUNT SEED\n$/],
  ['explore:drawn',   ['--nonsense'],     /^Unknown option '--nonsense': this script knows no options\.\n$/],
  ['pictures',        ['--nonsense'],     /^Unknown option '--nonsense': this script knows no options\.\n$/],
  ['pictures',        ['iris', 'nosuch'], /^No name begins with "nosuch": this script knows blik, [^\n]+\.\n$/],
  ['lighthouse',      ['--nonsense'],     /^Unknown option '--nonsense': this script knows no options\.\n$/],
  ['lighthouse',      ['nosuch'],         /^No name begins with "nosuch": this script knows landing, [^\n]+\.\n$/],
  ['idle-tabs',       ['nosuch'],         /^No name begins with "nosuch": this script knows landing, [^\n]+\.\n$/],
]

test.each(CHOOSING)('npm run %s -- %j measures nothing and says so', { timeout: 60_000 }, (name, argv, said) => {
  const file = /^node bin\/run\.js (\S+\.ts)/.exec(scripts[name] ?? '')?.[1] ?? ''
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, file), ...argv], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(said) })
})
