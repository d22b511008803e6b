import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from '../tidy/sources.ts'

const dist = join(ROOT, 'dist')
const built = (argv: string[]) => execFileSync(process.execPath, [join(dist, 'bin/assay.js'), ...argv]).toString()

beforeAll(() => {
  execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'pipe' })
})

test('every file that the built code reads beside itself was built or copied', () => {
  const missing = globSync('**/*.js', { cwd: dist }).flatMap(file => {
    const named = readFileSync(join(dist, file), 'utf8').matchAll(/new URL\(['"](\.[^'"]+)['"], import\.meta\.url\)/g)
    const targets = Array.from(named, match => join(dirname(file), match[1] ?? ''))
    return targets.filter(target => !existsSync(join(dist, target))).map(target => `${file} reads ${target}`)
  })
  expect(missing).toEqual([])
})

test('the built command tells its version and its commands', () => {
  expect(built(['--version'])).toBe(`${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}\n`)
  expect(built(['help'])).toMatch(/serve .*\n.*certify .*\n.*health /)
})
