import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DIAGRAMS, PRODUCT_FOLDERS } from '../../docs/product-folders-and-diagrams.ts'
import { MAY_IMPORT } from '../architecture/allowed-imports.ts'
import { ROOT } from '../architecture/read-source-files.ts'

const touches = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** Whether some file of a room may import some file of another. */
const mayImport = (from: string, to: string) =>
  MAY_IMPORT.some(
    ([own, allowed]) => touches(own, from) && allowed.some(path => touches(path, to) || touches(to, path)),
  )

describe('docs/architecture.md', () => {
  test('every folder of the product is a room of the list, and every room is a folder', () => {
    const folders = globSync(['{contracts,simulator}/*/', 'bin/', 'fixtures/', 'hosted-pages/'], { cwd: ROOT })
    expect(PRODUCT_FOLDERS.map(([folder]) => folder).toSorted()).toEqual(
      folders.map(path => path.replace(/\/$/, '')).sort(),
    )
  })

  test.each(Object.entries(DIAGRAMS))('the import table allows every arrow of the drawing %s', (_, { arrows }) => {
    const forbidden = arrows.flatMap(([from, to]) =>
      to.filter(target => !mayImport(from, target)).map(target => `${from} --> ${target}`),
    )
    expect(forbidden).toEqual([])
  })
})
