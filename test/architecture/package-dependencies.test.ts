import { expect, test } from 'vitest'
import { importedPackages, readSource, sourceFiles } from './read-source-files.ts'

const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies']

test('docs/dependencies.md gives a reason for each dependency and lists no others', () => {
  const project = JSON.parse(readSource('package.json'))
  const declared = GROUPS.flatMap(group => Object.keys(project[group] ?? {}))
  const explained = Array.from(readSource('docs/dependencies.md').matchAll(/^- `([^`]+)`: \S/gm), match => match[1])
  expect(explained.sort()).toEqual(declared.sort())
})

/** Packages that a user installs for one feature, which loads them on demand and names the cure where they are missing. */
const ON_DEMAND: Readonly<Record<string, readonly string[]>> = {
  'contracts/suites/drivers/run-shopper-browser-script.ts': ['playwright'],
}

test('runtime code imports no development dependency', () => {
  const atRunTime = Object.keys(JSON.parse(readSource('package.json')).dependencies)
  const files = sourceFiles('{bin,contracts,hosted-pages,simulator}').filter(
    file => !file.startsWith('hosted-pages/assets/'),
  )
  const strangers = files.flatMap(file =>
    importedPackages(file)
      .filter(name => !atRunTime.includes(name) && !ON_DEMAND[file]?.includes(name))
      .map(name => `${file} imports ${name}`),
  )
  expect(strangers).toEqual([])
})
