import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the licence text of each package that one of the bundled files comes from, with its name and version. Throws
 * where a package has none, as its licence asks for the text.
 */
export const writeLicencesOf = (bundled: readonly string[], file: string): void => {
  const folders = new Set(bundled.map(packageFolder).filter(folder => folder !== undefined))
  writeFileSync(file, [...folders].sort().map(licenceOf).join('\n'))
}

const packageFolder = (file: string): string | undefined => /\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]

const licenceOf = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [text] = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: folder })
  if (text === undefined) throw new Error(`${name} has no licence text: install it apart (.ci/build.ts).`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, text), 'utf8').trim()}\n`
}
