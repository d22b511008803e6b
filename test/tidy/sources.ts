import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

export const ROOT = join(import.meta.dirname, '../..')

/** The project's own code, by path from the root; what is generated or not ours is left out. */
export function sources(folders: string): string[] {
  const found = globSync(`${folders}/**/*.{ts,js,css}`, { cwd: ROOT, exclude: ['**/*.gen.ts', '**/node_modules/**'] })
  return found.sort()
}

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The files of ours that a file imports, in any way, by path from the root. */
export function importsOf(file: string): string[] {
  const own = namesImported(file).filter(name => name.startsWith('.'))
  return own.map(name => relative(ROOT, join(ROOT, dirname(file), name)))
}

/** The packages that a file imports, without the path inside them and without Node's own modules. */
export function packagesOf(file: string): string[] {
  const names = namesImported(file).filter(name => !/^(\.|node:)/.test(name))
  return names.map(name => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
}

const namesImported = (file: string): string[] =>
  ts.preProcessFile(read(file), true, true).importedFiles.map(imported => imported.fileName)

/** Every line of the files that the pattern matches, as `file:line  text`, so that a failing test points at it. */
export function linesWith(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap(file =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}  ${line.trim()}`] : [])),
  )
}
