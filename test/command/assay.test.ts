import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WORDS } from '../../contracts/cli.ts'
import { ROOT, read } from '../tidy/sources.ts'

const COMMAND = join(ROOT, 'bin/assay.js')

function assay(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...argv], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test.each([[[]], [['--help']], [['-h']], [['help']]])('%j lists the commands, one line each', argv => {
  const { status, stdout } = assay(...argv)
  expect(status).toBe(0)
  expect(stdout).toMatch(/^ {2}serve +\w.*\n {2}certify +\w.*\n {2}health +\w.*$/m)
})

test('--version is the one of the package', () => {
  expect(assay('--version').stdout.trim()).toBe(JSON.parse(read('package.json')).version)
})

test('help about a command is what the command says of itself', () => {
  expect(assay('help', 'health')).toEqual(assay('health', '--help'))
  expect(assay('help', 'health').stdout).toContain('--pages-port')
})

test('help about a word of a command is what the word says of itself', () => {
  expect(assay('help', 'certify', 'diff')).toEqual(assay('certify', 'diff', '--help'))
  for (const word of Object.keys(WORDS)) expect(assay().stdout).toContain(word)
})

test.each(['serve', 'certify', 'health', 'lab', 'scenarios', 'seed', 'drill'])(
  'the help of %s says in a sentence what it does, how it is written, and its options in columns',
  name => {
    const { status, stdout } = assay(name, '--help')
    const [sentence, space, usage, ...more] = stdout.split('\n')
    expect([status, sentence, space, usage]).toEqual([
      0,
      expect.stringMatching(/^[A-Z].*\.$/),
      '',
      expect.stringMatching(`^  assay ${name}`),
    ])
    const columns = more.flatMap(line => /^ {2}--.*? {2,}(?=\S)/.exec(line)?.[0].length ?? [])
    expect(new Set(columns).size, stdout).toBeLessThanOrEqual(1)
  },
)

test.each<[string, string]>([
  ['srve', 'did you mean "assay serve"?'],
  ['certfy', 'did you mean "assay certify"?'],
  ...Object.keys(WORDS).map((word): [string, string] => [word, `did you mean "assay certify ${word}"?`]),
  ['healthz', 'did you mean "assay health"?'],
  ['-v', '"assay --help" lists them.'],
  ['constructor', '"assay --help" lists them.'],
])('an unknown command %s ends with code 2 and the nearest one, if one is near: %s', (typed, cure) => {
  const { status, stdout, stderr } = assay(typed)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(`There is no command "${typed}": ${cure}\n`)
})

test('an old Node is told what is missing and how to get it', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' })`
  const argv = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, COMMAND, 'serve']
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toMatch(/^Assay needs Node 24 and this is v\d.*: run "npm ci".*"npx assay serve"\.\n$/)
})
