import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const build = (...argv: string[]) =>
  spawnSync(process.execPath, [join(ROOT, '.ci/build.ts'), ...argv], { cwd: temporaryFolder(), encoding: 'utf8' })

test.each<[string, (folder: string) => void]>([
  ['files of others', folder => writeFileSync(join(folder, 'notes.txt'), 'mine')],
  ['another package', folder => writeFileSync(join(folder, 'package.json'), '{"name":"shop"}')],
  ['no readable package', folder => writeFileSync(join(folder, 'package.json'), '{')],
  ['a clone', folder => copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'))],
])('npm run build deletes no folder that holds %s', { timeout: 120_000 }, (_, fill) => {
  const folder = temporaryFolder()
  fill(folder)
  const before = readdirSync(folder)
  const { status, stdout, stderr } = build(folder)
  const sentence = `${folder} holds something other than an earlier build: name a new folder, or an empty one.\n`
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: sentence })
  expect(readdirSync(folder)).toEqual(before)
})

test.each([['--help'], ['-o', 'out'], ['one', 'two']])('npm run build refuses the arguments %j %j', (...argv) => {
  const { status, stderr } = build(...argv)
  expect({ status, stderr }).toEqual({ status: 2, stderr: 'Name one folder at most: npm run build -- DIR\n' })
})
