import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FREE_LICENCES, libraries } from '../../docs/licences-page.ts'
import { ROOT, read } from '../tidy/sources.ts'

const all = libraries()

describe('what runs is free to use', () => {
  test('every library that is installed to run has a free licence', () => {
    expect(all.filter(({ licence }) => !FREE_LICENCES.some(free => free === licence))).toEqual([])
  })

  test('every direct dependency is among them, and what is not direct says for whom it is there', () => {
    const direct = Object.keys(JSON.parse(read('package.json')).dependencies)
    const names = all.map(({ name }) => name)
    expect(direct.filter(name => !names.includes(name))).toEqual([])
    expect(all.filter(({ why }) => why === 'for ')).toEqual([])
  })

  test('what a package says of itself is what the lock says of it', () => {
    const told = (name: string) => join('node_modules', name, 'package.json')
    const there = all.filter(({ name }) => existsSync(join(ROOT, told(name))))
    expect(there.length).toBeGreaterThan(30)
    const other = there.filter(({ name, version, licence }) => {
      const said = JSON.parse(read(told(name)))
      return said.version === version && said.license !== licence
    })
    expect(other).toEqual([])
  })
})
