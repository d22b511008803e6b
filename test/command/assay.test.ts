import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SUBCOMMANDS } from '../../contracts/cli.ts'
import { ROOT, readSource } from '../architecture/read-source-files.ts'

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
  expect(assay('--version').stdout.trim()).toBe(JSON.parse(readSource('package.json')).version)
})

test('help COMMAND prints the same as COMMAND --help', () => {
  expect(assay('help', 'health')).toEqual(assay('health', '--help'))
  expect(assay('help', 'health').stdout).toContain('--pages-port')
})

test('help of a subcommand prints the same as its --help, and the overview lists each subcommand', () => {
  expect(assay('help', 'certify', 'diff')).toEqual(assay('certify', 'diff', '--help'))
  for (const word of Object.keys(SUBCOMMANDS)) expect(assay().stdout).toContain(word)
})

test.each(['serve', 'certify', 'dialect', 'health', 'lab', 'scenarios', 'seed', 'drill'])(
  'the help of %s has a usage line',
  name => {
    const { status, stdout } = assay(name, '--help')
    expect([status, stdout]).toEqual([0, expect.stringContaining(`\n  assay ${name}`)])
  },
)

test.each<[string, string]>([
  ['srve', 'did you mean "assay serve"?'],
  ['certfy', 'did you mean "assay certify"?'],
  ...Object.keys(SUBCOMMANDS).map((word): [string, string] => [word, `did you mean "assay certify ${word}"?`]),
  ['healthz', 'did you mean "assay health"?'],
  ['-v', '"assay --help" lists them.'],
  ['constructor', '"assay --help" lists them.'],
])('an unknown command %s ends with code 2 and suggests a similar one, if any: %s', (typed, cure) => {
  const { status, stdout, stderr } = assay(typed)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(`There is no command "${typed}": ${cure}\n`)
})

test('an old Node ends with code 2 and one sentence on how to install a newer one', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' })`
  const argv = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, COMMAND, 'serve']
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toMatch(/^Assay needs Node 24 and this is v\d.*: run "npm ci".*"npx assay serve"\.\n$/)
})
