import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SUBCOMMANDS } from '../../contracts/certify-command.ts'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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

test.each(['--version', '-v', 'version'])('%s is the one of the package', argument => {
  expect(assay(argument)).toMatchObject({ status: 0, stdout: `${JSON.parse(readSource('package.json')).version}\n` })
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
  ...['srve', 'sreve', 'server', 'sevre'].map((typed): [string, string] => [typed, 'did you mean "assay serve"?']),
  ['kti', 'did you mean "assay kit"?'],
  ['lsiten', 'did you mean "assay listen"?'],
  ['certfy', 'did you mean "assay certify"?'],
  ...Object.keys(SUBCOMMANDS).map((word): [string, string] => [word, `did you mean "assay certify ${word}"?`]),
  ['healthz', 'did you mean "assay health"?'],
  ...['-x', 'restore', 'al'].map((typed): [string, string] => [typed, '"assay --help" lists them.']),
  ['constructor', '"assay --help" lists them.'],
])('an unknown command %s ends with code 2 and suggests a similar one, if any: %s', (typed, cure) => {
  const { status, stdout, stderr } = assay(typed)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(`There is no command "${typed}": ${cure}\n`)
})

test.each([
  ['serve', '--api-port'],
  ['health', '--pages-port'],
  ['seed', '--days'],
  ['certify run', '--tier'],
  ['lab', '--seconds'],
  ['dialect print', '--out'],
])('%s tells in one sentence how a value of %s that begins with a hyphen is written', (command, option) => {
  const { status, stderr } = assay(...command.split(' '), option, '-1')
  const sentence = `The value of ${option} is missing or begins with a hyphen, which is written ${option}=VALUE: "assay ${command} --help" lists the options.`
  expect([status, stderr]).toEqual([2, `${sentence}\n`])
})

describe('an old Node', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' })`
  const withOldNode = (file: string, ...argv: string[]) =>
    spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, file, ...argv], {
      encoding: 'utf8',
    })
  const copyOfBin = () => {
    const folder = temporaryFolder()
    cpSync(dirname(COMMAND), join(folder, 'bin'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    return folder
  }

  test.runIf(process.platform === 'linux')('starts the one that the clone installed', () => {
    const { status, stdout } = withOldNode(COMMAND, 'serve', '--help')
    expect([status, stdout]).toEqual([0, expect.stringContaining('assay serve [options]')])
  })

  test('of an installed package ends with code 2 and one sentence', () => {
    const { status, stderr } = withOldNode(join(copyOfBin(), 'bin/assay.js'), 'serve')
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^Assay needs Node 22\.14 or later and this is v\d.*: install .*\n$/),
    ])
  })

  test.each(['assay.js', 'run.js'])('of a clone without packages is told by %s to run "npm ci"', name => {
    const folder = copyOfBin()
    mkdirSync(join(folder, 'simulator'))
    writeFileSync(join(folder, 'simulator/index.ts'), '')
    const { status, stderr } = withOldNode(join(folder, 'bin', name), 'serve')
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^Assay needs Node 22\.18 or later and this is v\d.*: run "npm ci", .*\n$/),
    ])
  })

  test('passes signals and exit codes of the newer one on', async () => {
    const folder = copyOfBin()
    writeFileSync(
      join(folder, 'child.js'),
      `process.on('SIGTERM', () => process.exit(7)); console.log('up'); setInterval(() => {}, 1000)`,
    )
    const child = spawn(process.execPath, [join(folder, 'bin/run.js'), join(folder, 'child.js')])
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([7, null])
  })
})
