import { globSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPTIONS } from '../../simulator/options/options.ts'
import { ROOT, readSource } from '../architecture/read-source-files.ts'

const PAGE = 'docs/threat-model.md'
const text = readSource(PAGE)
const [, claims = ''] = text.split('## What it withstands')
const rows = (claims.split(/^## /m)[0] ?? '').split('\n').filter(line => /^\| [^-A]|^\| a/.test(line))
const cited = (row: string): string[] =>
  Array.from(row.matchAll(/\]\(([^)]+\.test\.ts)\)/g), ([, link = '']) => normalize(join('docs', link)))

describe('the threat model', () => {
  test('every claim cites an existing test', () => {
    expect(rows.length).toBeGreaterThan(15)
    const tests = globSync('test/**/*.test.ts', { cwd: ROOT })
    for (const row of rows) {
      expect(cited(row).length, row).toBeGreaterThan(0)
      for (const file of cited(row)) {
        expect(tests).toContain(file)
        expect(readSource(file)).toMatch(/\btest(\.each)?\(/)
      }
    }
  })

  test('names existing options', () => {
    const named = Array.from(text.matchAll(/`--([a-z-]+)`/g), ([, name = '']) => name)
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(name => !Object.hasOwn(OPTIONS, name))).toEqual([])
  })
})
