import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { writeLicencesOf } from './write-licences-of-bundled-packages.ts'

/** Folder of the bundled code: one below the root of the package, from where every file of it is found. */
const FOLDER = 'lib'
const MODULES = join(import.meta.dirname, '../node_modules')
/** What a worker runs, which nothing imports. */
const WORKERS = ['simulator/control/write-description-in-dialect.js']
/** What every Node since 18 reads, to tell an old one what is missing: stays as it is. */
const UNBUNDLED = ['bin/assay.js', 'bin/run-with-newer-node.js']

/**
 * Joins the compiled modules of a package, and the packages that it uses, in a few files, so that a start reads few files.
 * What its exports, its command and its workers name stays where it is and hands on. `apart` are the packages that are
 * installed beside it; the licences of all others are written beside the code.
 */
export const bundleModules = async (dist: string, exported: readonly string[], apart: readonly string[]) => {
  const entries = [...exported, ...commandsOf(dist), ...WORKERS]
  const compiled = globSync('**/*.d.ts', { cwd: dist })
    .map(file => file.replace(/\.d\.ts$/, '.js'))
    .filter(file => existsSync(join(dist, file)) && !UNBUNDLED.includes(file))
  const bundle = await rolldown({
    cwd: dist,
    platform: 'node',
    input: Object.fromEntries(entries.map(file => [nameOf(file), join(dist, file)])),
    resolve: { modules: [MODULES] },
    external: id => apart.some(name => id === name || id.startsWith(`${name}/`)),
    plugins: [{ name: 'own place', transform: (code, id) => withOwnPlace(code, relative(dist, id)) }],
  })
  const { output } = await bundle.write({ dir: join(dist, FOLDER), format: 'esm', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  const files = output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : []))
  writeLicencesOf(files, join(dist, 'LICENCES-OF-BUNDLED-PACKAGES.txt'))
  for (const file of compiled) rmSync(join(dist, file))
  for (const file of entries) {
    const target = posix.relative(dirname(file), `${FOLDER}/${nameOf(file)}.js`)
    writeFileSync(join(dist, file), `export * from '${target.startsWith('.') ? target : `./${target}`}'\n`)
  }
}

/** Deletes the declarations that no exported one needs. */
export const dropUnusedDeclarations = (dist: string, exported: readonly string[]): void => {
  const used = new Set<string>()
  const follow = (file: string): void => {
    if (used.has(file)) return
    used.add(file)
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.[jt]s['"]/g))
      follow(`${posix.join(posix.dirname(file), path)}.d.ts`)
  }
  for (const file of exported) follow(file.replace(/\.js$/, '.d.ts'))
  for (const file of globSync('**/*.d.ts', { cwd: dist, exclude: ['node_modules/**'] }))
    if (!used.has(file)) rmSync(join(dist, file))
}

/** The modules that the command imports for its subcommands. */
const commandsOf = (dist: string): string[] =>
  Array.from(
    readFileSync(join(dist, 'bin/assay.js'), 'utf8').matchAll(/import\('\.\.\/([^']+)'\)/g),
    ([, file]) => file ?? '',
  )

const nameOf = (file: string): string => file.replace(/\.js$/, '').replaceAll('/', '-')

/** Lets a module find the files beside it from its place in the bundle. */
const withOwnPlace = (code: string, file: string): string | undefined =>
  code.includes('import.meta.url')
    ? code.replaceAll('import.meta.url', `new URL('../${file}', import.meta.url).href`)
    : undefined
