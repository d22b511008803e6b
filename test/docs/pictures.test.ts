import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PICTURES } from '../../docs/picture-list.ts'
import { ROOT } from '../tidy/sources.ts'

const FOLDER = join(ROOT, 'docs/pictures')
const MOST_BYTES = 160_000

test('every picture is made by a row of the list, and every row was taken', () => {
  const taken = readdirSync(FOLDER).sort()
  expect(taken).toEqual(PICTURES.map(({ name }) => `${name}.png`).sort())
})

test('pictures are small', () => {
  const large = readdirSync(FOLDER).filter(file => statSync(join(FOLDER, file)).size > MOST_BYTES)
  expect(large).toEqual([])
})

test('the README shows pictures that are there', () => {
  const shown = Array.from(readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/\]\(docs\/pictures\/(.+?)\)/g))
  expect(shown.length).toBeGreaterThan(0)
  for (const [, file] of shown) expect(readdirSync(FOLDER)).toContain(file)
})
