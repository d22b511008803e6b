import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBuiltInCatalogue } from '../../simulator/scenarios/open-scenario-catalogue.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { scenarioFileText, writeScenarioFolder } from '../scenarios/write-scenario-files.ts'

const scenarios = (...argv: string[]) => {
  const command = [join(ROOT, 'bin/assay.js'), 'scenarios', ...argv]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: ROOT })
  return { status, stdout, stderr }
}

const MINE = scenarioFileText(`name: MINE\ntitle: Mine.`)
const COUNT = createBuiltInCatalogue().all.length

test('without arguments it checks and counts the built-in scenarios', () => {
  expect(scenarios()).toEqual({ status: 0, stdout: `${COUNT} scenarios: no errors.\n`, stderr: '' })
})

test('a folder is checked together with the built-in scenarios', () => {
  const folder = writeScenarioFolder({ 'mine.yaml': MINE })
  const { status, stdout } = scenarios(folder)
  expect([status, stdout]).toEqual([0, `${COUNT + 1} scenarios, 1 of them from ${folder}: no errors.\n`])
})

test('each error is one line on stderr, and the exit code is 1', () => {
  const folder = writeScenarioFolder({ 'a.yaml': `scenarios:\n${'  - { name: a, title: A. }\n'.repeat(9)}` })
  const { status, stdout, stderr } = scenarios(folder)
  expect([status, stdout]).toEqual([1, ''])
  const lines = stderr.trim().split('\n')
  expect(lines).toHaveLength(9)
  expect(lines[8]).toMatch(/a\.yaml:10:13: name is "a": give a name /)
})

test('--list prints each scenario with its number and title, without colours', () => {
  const { status, stdout } = scenarios('--list')
  const lines = stdout.trimEnd().split('\n')
  expect([status, lines.length]).toEqual([0, COUNT])
  expect(lines[0]).toMatch(/^OK +0000 {2}Everything succeeds/)
  expect(stdout).not.toContain('\u001b')
})

test.each([
  [['--nope'], 'Unknown option \'--nope\': "assay scenarios --help" lists the options.\n'],
  [['a', 'b'], 'One folder at a time: "b" is the second. "assay scenarios --help" lists the options.\n'],
  [['/no/such/folder'], 'There is no folder /no/such/folder: name the one where your scenario files are.\n'],
])('wrong usage %j gives exit code 2', (argv, stderr) => {
  expect(scenarios(...argv)).toEqual({ status: 2, stdout: '', stderr })
})
