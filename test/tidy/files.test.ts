import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { linesWith, read, sources } from './sources.ts'

const LONGEST = 250
const SAYS_NOTHING = /(^|-)(utils?|helpers?|common|managers?|services?)$/
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/

const all = [...sources('{bench,bin,contracts,docs,hosted-pages,simulator,test}'), 'vitest.config.ts']

test(`no file has more than ${LONGEST} lines`, () => {
  const lengths = all.map(file => ({ file, lines: read(file).split('\n').length - 1 }))
  expect(lengths.filter(({ lines }) => lines > LONGEST)).toEqual([])
})

test('names are kebab-case and say what is inside', () => {
  const words = (file: string) => [...file.split('/').slice(0, -1), basename(file).split('.')[0] ?? '']
  expect(all.filter(file => words(file).some(word => SAYS_NOTHING.test(word) || !KEBAB_CASE.test(word)))).toEqual([])
})

test('no test runs alone and none sleeps for a fixed time', () => {
  const others = sources('test').filter(file => !file.startsWith('test/tidy/'))
  expect(linesWith(/\.only\(|waitForTimeout\(/, others)).toEqual([])
})
