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
