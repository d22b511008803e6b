import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { matchingLines, readSource, sourceFiles } from './read-source-files.ts'

const LONGEST = 250
const SAYS_NOTHING = /(^|-)(utils?|helpers?|common|managers?|services?)$/
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/

const product = sourceFiles('{bench,bin,contracts,docs,fixtures,hosted-pages,simulator}')
const all = [...product, ...sourceFiles('test'), 'vitest.config.ts']

test(`no product file has more than ${LONGEST} lines`, () => {
  const lengths = product.map(file => ({ file, lines: readSource(file).split('\n').length - 1 }))
  expect(lengths.filter(({ lines }) => lines > LONGEST)).toEqual([])
})

test('file names are kebab-case and without words such as utils', () => {
  const words = (file: string) => [...file.split('/').slice(0, -1), basename(file).split('.')[0] ?? '']
  expect(all.filter(file => words(file).some(word => SAYS_NOTHING.test(word) || !KEBAB_CASE.test(word)))).toEqual([])
})

test('no test uses .only or waitForTimeout', () => {
  const others = sourceFiles('test').filter(file => !file.startsWith('test/architecture/'))
  expect(matchingLines(/\.only\(|waitForTimeout\(/, others)).toEqual([])
})
