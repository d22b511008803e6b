import { expect, test } from 'vitest'
import { packagesOf, read, sources } from './sources.ts'

const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies']

test('docs/dependencies.md gives a reason for each dependency and for nothing else', () => {
  const project = JSON.parse(read('package.json'))
  const declared = GROUPS.flatMap(group => Object.keys(project[group] ?? {}))
  const explained = Array.from(read('docs/dependencies.md').matchAll(/^- `([^`]+)`: \S/gm), match => match[1])
  expect(explained.sort()).toEqual(declared.sort())
})

test('what runs imports no package that is there for developing only', () => {
  const atRunTime = Object.keys(JSON.parse(read('package.json')).dependencies)
  const files = sources('{bin,contracts,hosted-pages,simulator}').filter(
    file => !file.startsWith('hosted-pages/assets/'),
  )
  const strangers = files.flatMap(file =>
    packagesOf(file)
      .filter(name => !atRunTime.includes(name))
      .map(name => `${file} imports ${name}`),
  )
  expect(strangers).toEqual([])
})
