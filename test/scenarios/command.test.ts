import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtInCatalogue } from '../../simulator/scenarios/load.ts'
import { ROOT } from '../tidy/sources.ts'
import { file, folderOf } from './write-folder.ts'

const scenarios = (...argv: string[]) => {
  const command = [join(ROOT, 'bin/assay.js'), 'scenarios', ...argv]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: ROOT })
  return { status, stdout, stderr }
}

const MINE = file(`name: MINE\ntitle: Mine.`)
const COUNT = builtInCatalogue().all.length

test('the built-in files are well, and counted', () => {
  expect(scenarios()).toEqual({ status: 0, stdout: `${COUNT} scenarios: all is well.\n`, stderr: '' })
})

test('a folder is checked together with them', () => {
  const folder = folderOf({ 'mine.yaml': MINE })
  const { status, stdout } = scenarios(folder)
  expect([status, stdout]).toEqual([0, `${COUNT + 1} scenarios, 1 of them from ${folder}: all is well.\n`])
})

test('every mistake is one line on stderr, and the code is 1', () => {
  const folder = folderOf({ 'a.yaml': `scenarios:\n${'  - { name: a, title: A. }\n'.repeat(9)}` })
  const { status, stdout, stderr } = scenarios(folder)
  expect([status, stdout]).toEqual([1, ''])
  const lines = stderr.trim().split('\n')
  expect(lines).toHaveLength(9)
  expect(lines[8]).toMatch(/a\.yaml:10:13: name is "a": give a name /)
})

test('--list names every scenario with its number and title, without colours', () => {
  const { status, stdout } = scenarios('--list')
  const lines = stdout.trimEnd().split('\n')
  expect([status, lines.length]).toEqual([0, COUNT])
  expect(lines[0]).toMatch(/^OK +0000 {2}Everything goes well/)
  expect(stdout).not.toContain('\u001b')
})

test.each([
  [['--nope'], 'Unknown option \'--nope\': "assay scenarios --help" tells the options.\n'],
  [['a', 'b'], 'One folder at a time: "b" is the second. "assay scenarios --help" tells the options.\n'],
  [['/no/such/folder'], 'There is no folder /no/such/folder: name the one where your scenario files are.\n'],
])('%j is wrong usage: code 2', (argv, stderr) => {
  expect(scenarios(...argv)).toEqual({ status: 2, stdout: '', stderr })
})
