import { globSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPTIONS } from '../../simulator/options.ts'
import { ROOT, read } from '../tidy/sources.ts'

const PAGE = 'docs/threat-model.md'
const text = read(PAGE)
const [, claims = ''] = text.split('## What it withstands')
const rows = (claims.split(/^## /m)[0] ?? '').split('\n').filter(line => /^\| [^-A]|^\| a/.test(line))
const cited = (row: string): string[] =>
  Array.from(row.matchAll(/\]\(([^)]+\.test\.ts)\)/g), ([, link = '']) => normalize(join('docs', link)))

describe('the threat model', () => {
  test('is one page', () => {
    expect(text.split('\n').length).toBeLessThan(80)
  })

  test('every claim cites a test that is there and tests something', () => {
    expect(rows.length).toBeGreaterThan(15)
    const tests = globSync('test/**/*.test.ts', { cwd: ROOT })
    for (const row of rows) {
      expect(cited(row).length, row).toBeGreaterThan(0)
      for (const file of cited(row)) {
        expect(tests).toContain(file)
        expect(read(file)).toMatch(/\btest(\.each)?\(/)
      }
    }
  })

  test('cites every test of security', () => {
    const all = globSync('test/security/*.test.ts', { cwd: ROOT })
    const known = rows.flatMap(cited)
    expect(all.filter(file => !known.includes(file))).toEqual([])
  })

  test('names options that are there', () => {
    const named = Array.from(text.matchAll(/`--([a-z-]+)`/g), ([, name = '']) => name)
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(name => !Object.hasOwn(OPTIONS, name))).toEqual([])
  })
})
