import { expect, test } from 'vitest'
import { PRODUCT_FOLDERS } from '../../docs/product-folders-and-diagrams.ts'
import { isWithin, rowOf } from './allowed-imports.ts'
import { importedFiles, sourceFiles } from './read-source-files.ts'

const product = sourceFiles('{bin,contracts,fixtures,hosted-pages,simulator}')
const imports = new Map(product.map(file => [file, importedFiles(file)]))
const importsOf = (file: string): readonly string[] => imports.get(file) ?? []

test('every import is allowed by the table', () => {
  const strangers = product.flatMap(file => {
    const [own, allowed] = rowOf(file) ?? ['', []]
    const reached = importsOf(file).filter(target => ![own, ...allowed].some(folder => isWithin(target, folder)))
    return reached.map(
      target =>
        `${file} imports ${target}, but ${own || 'a file without a row'} may reach only ${allowed.join(', ') || 'itself'}`,
    )
  })
  expect(strangers).toEqual([])
})

test('no two rooms import each other', () => {
  const roomOf = (file: string) => PRODUCT_FOLDERS.find(([folder]) => isWithin(file, folder))?.[0] ?? file
  const pairs = new Set(product.flatMap(file => importsOf(file).map(to => `${roomOf(file)} → ${roomOf(to)}`)))
  const isMutual = ([from, to]: readonly string[]) => from !== to && pairs.has(`${to} → ${from}`)
  expect([...pairs].filter(pair => isMutual(pair.split(' → ')))).toEqual([])
})

test('there are no import cycles', () => {
  expect(product.flatMap(file => circleFrom(file))).toEqual([])
})

/** The first import cycle through a file, written with arrows; reported only for its alphabetically first member. */
function circleFrom(start: string): string[] {
  const seen = new Set<string>()
  const walk = (file: string, path: string[]): string | undefined => {
    for (const next of importsOf(file)) {
      if (next === start) return [...path, next].join(' → ')
      if (next < start || seen.has(next) || !imports.has(next)) continue
      seen.add(next)
      const circle = walk(next, [...path, next])
      if (circle) return circle
    }
  }
  return [walk(start, [start])].filter(circle => circle !== undefined)
}
