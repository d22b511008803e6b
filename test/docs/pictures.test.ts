import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SCREENSHOTS } from '../../docs/screenshot-list.ts'
import { ROOT } from '../architecture/read-source-files.ts'

const FOLDER = join(ROOT, 'docs/pictures')

test('the pictures are exactly those of the list', () => {
  const taken = readdirSync(FOLDER).sort()
  expect(taken).toEqual(SCREENSHOTS.map(({ name }) => `${name}.png`).sort())
})

test('the README links to existing pictures', () => {
  const shown = Array.from(readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/\]\(docs\/pictures\/(.+?)\)/g))
  expect(shown.length).toBeGreaterThan(0)
  for (const [, file] of shown) expect(readdirSync(FOLDER)).toContain(file)
})
