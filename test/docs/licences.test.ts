import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FREE_LICENCES, installedPackages } from '../../docs/licences-page.ts'
import { ROOT, readSource } from '../architecture/read-source-files.ts'

const all = installedPackages()

test('package.json, its lock file and LICENSE name the same license', () => {
  const { license } = JSON.parse(readSource('package.json'))
  expect(JSON.parse(readSource('package-lock.json')).packages[''].license).toBe(license)
  expect(FREE_LICENCES).toContain(license)
  expect(readSource('LICENSE')).toMatch(/^\s+Apache License\n\s+Version 2\.0,/)
})

describe('licences of runtime dependencies', () => {
  test('every runtime dependency has a permissive licence', () => {
    expect(all.filter(({ licence }) => !FREE_LICENCES.some(free => free === licence))).toEqual([])
  })

  test('the list holds every direct dependency and names the dependent of every other', () => {
    const direct = Object.keys(JSON.parse(readSource('package.json')).dependencies)
    const names = all.map(({ name }) => name)
    expect(direct.filter(name => !names.includes(name))).toEqual([])
    expect(all.filter(({ why }) => why === 'for ')).toEqual([])
  })

  test('the licence in package.json equals that in the lock file', () => {
    const told = (name: string) => join('node_modules', name, 'package.json')
    const there = all.filter(({ name }) => existsSync(join(ROOT, told(name))))
    expect(there.length).toBeGreaterThan(30)
    const other = there.filter(({ name, version, licence }) => {
      const said = JSON.parse(readSource(told(name)))
      return said.version === version && said.license !== licence
    })
    expect(other).toEqual([])
  })
})
