import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
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
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, fileOf('crash')), '--bogus'], { encoding: 'utf8' })
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
  ['explore:drawn',   ['many'],           /^COUNT is "many": give a whole number from 1 to 999999999\.\n$/],
  ['explore:drawn',   ['--nonsense'],     /^Unknown option '--nonsense': this script knows no options\.\n$/],
  ['pictures',        ['--nonsense'],     /^Unknown option '--nonsense': this script knows no options\.\n$/],
  ['pictures',        ['iris', 'nosuch'], /^No name begins with "nosuch": this script knows blik, [^\n]+\.\n$/],
  ['lighthouse',      ['--nonsense'],     /^Unknown option '--nonsense': this script knows no options\.\n$/],
  ['lighthouse',      ['nosuch'],         /^No name begins with "nosuch": this script knows landing, [^\n]+\.\n$/],
  ['idle-tabs',       ['nosuch'],         /^No name begins with "nosuch": this script knows landing, [^\n]+\.\n$/],
  ['docs',            ['nosuch'],         /^Unexpected argument 'nosuch': this script knows no options\.\n$/],
  ['upgrades',        ['--write'],        /^Unknown option '--write': this script knows no options\.\n$/],
  ['installations',   ['--wirte'],        /^Unknown option '--wirte': this script knows --write\.\n$/],
  ['installations',   ['write'],          /^Unexpected argument 'write': this script knows --write\.\n$/],
  ['matrix:stand-in', ['--sample', 'abc'], /^--sample is "abc": give a whole number from 0 to 999999999\.\n$/],
  ['matrix:stand-in', ['--seed', '1.5'],  /^--seed is "1\.5": give a whole number from 0 to 999999999\.\n$/],
  ['fuzz',            ['--minutes', ''],  /^--minutes is "": give a number above 0, up to 999999999\.\n$/],
  ['fuzz',            ['--minutes', '1e999'], /^--minutes is "1e999": give a number above 0, up to 999999999\.\n$/],
  ['fuzz',            ['--seed', 'now'],  /^--seed is "now": give a whole number from 0 to 999999999\.\n$/],
  ['fuzz',            ['--only', 'jsno'], /^--only names "jsno": give some of [a-z0-9,-]+\.\n$/],
  ['explore:long',    ['0'],              /^CALLS is "0": give a whole number from 1 to 999999999\.\n$/],
  ['explore:long',    ['5', 'x'],         /^SEED is "x": give a whole number from 0 to 999999999\.\n$/],
  ['explore:long',    ['5', '1', 'more'], /^Give two numbers at most: npm run explore:long -- CALLS SEED\n$/],
  ['explore:long',    ['--on', 'moon'],   /^--on names "moon": give one of sqlite,process,replicas\.\n$/],
  ['simulate',        ['nosuch'],         /^DAYS is "nosuch": give a number above 0, up to 999999999\.\n$/],
  ['simulate',        ['0'],              /^DAYS is "0": give a number above 0, up to 999999999\.\n$/],
  ['simulate',        ['1', '1', 'more'], /^Give two numbers at most: npm run simulate -- DAYS SEED\n$/],
  ['crash',           ['--times', '0'],   /^--times is "0": give a whole number from 1 to 999999999\.\n$/],
  ['outages',         ['--replicas', '1'], /^--replicas is "1": give a whole number from 2 to 999999999\.\n$/],
  ['outages',         ['--only', 'kill,nosuch'], /^--only names "nosuch": give some of kill,[a-z,]+\.\n$/],
  ['dialects',        ['--seeds', 'many'], /^--seeds is "many": give a whole number from 1 to 999999999\.\n$/],
  ['dialects',        ['--show', 'it'],   /^--show is "it": give a whole number from 0 to 999999999\.\n$/],
  ['soak',            ['--laps', '-'],    /^--laps is "-": give a whole number from 1 to 999999999\.\n$/],
  ['soak',            ['--minutes', '0'], /^--minutes is "0": give a number above 0, up to 999999999\.\n$/],
  ['strangers',       ['--connections', 'x'], /^--connections is "x": give a whole number from 1 to 999999999\.\n$/],
  ['strangers',       ['--only', 'nosuch'], /^--only names "nosuch": give a text that is in the name of a route\.\n$/],
  ['bench',           ['--runs', '0'],    /^--runs is "0": give a whole number from 1 to 99\.\n$/],
  ['bench',           ['--certify', '--growth'], /^--certify and --growth are two measurements: give one of them\.\n$/],
  ['bench',           ['--certify', '--rivals'], /^--rivals is for the speed, which is measured without --certify\.\n$/],
  ['bench',           ['--million'],      /^--million belongs to --growth: give both\.\n$/],
  ['bench',           ['--ten-million', '--growth'], /^--ten-million belongs to --tenants: give both\.\n$/],
  ['longest-turns',   ['--payments', 'x'], /^--payments is "x": give a whole number from 1 to 999999999\.\n$/],
]

const fileOf = (name: string): string => /^node bin\/run\.js (\S+\.ts)/.exec(scripts[name] ?? '')?.[1] ?? ''

/** What each row of the table makes its script say: one start for all, as each costs a second of processor time. */
const refusals = (): unknown[] => {
  const input = JSON.stringify(CHOOSING.map(([name, argv]) => ({ file: join(ROOT, fileOf(name)), argv })))
  const script = join(import.meta.dirname, 'run-scripts-in-turn.ts')
  return JSON.parse(execFileSync(process.execPath, [script], { input, encoding: 'utf8', timeout: 60_000 }))
}
let refused: unknown[] = []
beforeAll(() => {
  refused = refusals()
})

test.each(CHOOSING)('npm run %s -- %j measures nothing and says so', (name, argv, said) => {
  const row = CHOOSING.findIndex(([script, words]) => script === name && words === argv)
  expect(refused[row]).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(said) })
})
