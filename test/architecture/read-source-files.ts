import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

export const ROOT = join(import.meta.dirname, '../..')

/** Lists the source files in some folders, as paths from the root, without generated files. */
export function sourceFiles(folders: string): string[] {
  const found = globSync(`${folders}/**/*.{ts,js,css}`, { cwd: ROOT, exclude: ['**/*.gen.ts', '**/node_modules/**'] })
  return found.sort()
}

export const readSource = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Lists the project files that a file imports, as paths from the root. */
export function importedFiles(file: string): string[] {
  const own = namesImported(file).filter(name => name.startsWith('.'))
  return own.map(name => relative(ROOT, join(ROOT, dirname(file), name)))
}

/** Lists the names of the npm packages that a file imports. */
export function importedPackages(file: string): string[] {
  const names = namesImported(file).filter(name => !/^(\.|node:)/.test(name))
  return names.map(name => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
}

const namesImported = (file: string): string[] =>
  ts.preProcessFile(readSource(file), true, true).importedFiles.map(imported => imported.fileName)

/** Lists the lines of source files that match a pattern, as `file:line  text`. */
export function matchingLines(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap(file =>
    readSource(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}  ${line.trim()}`] : [])),
  )
}
