import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PAGES as LISTED, llmsText } from '../../docs/index-page.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { anchorsOf, DOCUMENTATION_PAGES, linksOf } from './extract-commands-and-links.ts'

describe('links', () => {
  test.each(DOCUMENTATION_PAGES)('%s has no dead links', page => {
    const dead = linksOf(page).filter(({ target, anchor }) => {
      const file = target === '' ? page : normalize(join(dirname(page), target))
      if (!existsSync(join(ROOT, file))) return true
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)
    })
    expect(dead).toEqual([])
  })

  test('the index lists every page, and llms.txt links to existing files', () => {
    const listed = LISTED.map(([, file]) => `docs/${file}`)
    const pages = DOCUMENTATION_PAGES.filter(page => page.startsWith('docs/') && page !== 'docs/README.md')
    expect(listed.toSorted()).toEqual(pages)
    const targets = Array.from(llmsText().matchAll(/\]\(([^)]+)\)/g), ([, target = '']) => target)
    expect(targets.length).toBeGreaterThan(listed.length)
    expect(targets.filter(target => !existsSync(join(ROOT, 'docs', target)))).toEqual([])
  })
})
