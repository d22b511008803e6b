import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleModules, dropUnusedDeclarations } from './bundle-modules.ts'
import { readBuildFolder } from './read-build-folder.ts'

// Builds dist/: JavaScript with type declarations, data files and the package.json of the installable package.

const root = join(import.meta.dirname, '..')
const dist = readBuildFolder(process.argv.slice(2), join(root, 'dist'), read('package.json').name)

/** Files of the package beside its code: license, readme, and data that the code reads at runtime. */
const DATA = [
  'LICENSE',
  'contracts/decisions.yaml',
  'contracts/harness/report/page',
  'contracts/openapi-schemas.gen.json',
  'contracts/openapi.yaml',
  'contracts/profiles',
  'hosted-pages/assets',
  'scenarios',
  'simulator/control/openapi.gen.json',
  'simulator/control/openapi.yaml',
  'simulator/scenarios/built-in-scenarios.gen.json',
  ...globSync('contracts/**/*.schema.json', { cwd: root }),
  // What the README, helps and messages point to; the image is built without.
  ...globSync(['*.md', 'contracts/*.md', 'docs/*.{md,txt}', 'docs/{ci,pictures}', 'examples'], { cwd: root }),
]

/** Packages that are installed only where they are used: by "assay seed", a store in PostgreSQL, "--log json" and "--metrics on". */
const WHERE_USED = ['@faker-js/faker', 'pg', 'pino', 'prom-client']
/** Packages that are installed with it: one with binaries, and one whose types are part of ours. All others are bundled. */
const INSTALLED = ['better-sqlite3', 'openapi-fetch']
/** What a project in TypeScript has of its own: our types name those of Node. */
const TYPES = '@types/node'
/** Packages that a project has where it uses our exports for them. */
const OF_PROJECT = ['playwright', 'testcontainers', 'undici', 'vitest']

rmSync(dist, { recursive: true, force: true })
const tsc = join(root, 'node_modules/typescript-newest/bin/tsc')
execFileSync(process.execPath, [tsc, '--project', 'tsconfig.build.json', '--outDir', dist], {
  cwd: root,
  stdio: 'inherit',
})
const exported = Object.values(publishedPackage().exports).flatMap(built =>
  typeof built === 'string' ? [] : built.default.slice(2),
)
await bundleModules(dist, exported, [...WHERE_USED, ...INSTALLED, ...OF_PROJECT])
dropUnusedDeclarations(dist, exported)
for (const path of DATA) cpSync(join(root, path), join(dist, path), { recursive: true })
rmSync(join(dist, 'examples/first-payment.ts'), { force: true }) // of a clone: it uses the client's sources; the image has no examples
for (const page of globSync(['*.md', '{contracts,docs,examples}/**/*.{md,txt}'], { cwd: dist }))
  unlinkMissing(join(dist, page))
for (const file of globSync('**/*.d.ts', { cwd: dist })) useJavaScriptExtensions(join(dist, file))
writeJson(join(dist, 'package.json'), publishedPackage())
bundleDatabase(join(dist, 'node_modules/better-sqlite3'))

/**
 * Brings better-sqlite3 with its binaries and without its C++ sources: where those are, "npm ci" of most versions compiles
 * them, and fails on a machine without Python or a compiler.
 */
function bundleDatabase(folder: string): void {
  for (const name of ['LICENSE', 'lib', 'prebuilds'])
    cpSync(join(root, 'node_modules/better-sqlite3', name), join(folder, name), { recursive: true })
  const {
    scripts: _,
    dependencies: __,
    devDependencies: ___,
    ...described
  } = read('node_modules/better-sqlite3/package.json')
  writeJson(join(folder, 'package.json'), described)
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

/** Leaves of a page's links to files that are not in the package, such as tests, the words alone. */
function unlinkMissing(page: string): void {
  const holdsFile = (path: string) =>
    existsSync(path) && (!statSync(path).isDirectory() || globSync('**/*.*', { cwd: path }).length > 0)
  const isThere = (link: string) => /^\w+:|^#/.test(link) || holdsFile(join(dirname(page), link.replace(/#.*/, '')))
  const text = readFileSync(page, 'utf8')
  const linked = /\[([^\]]*)\]\(<?([^)>\s]+)>?\)/g
  writeFileSync(
    page,
    text.replace(linked, (whole, words, link) => (isThere(link) ? whole : words)),
  )
}

/** Changes relative imports of a declaration file from .ts to .js, which every compiler resolves. */
function useJavaScriptExtensions(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2'))
}

/**
 * package.json without what is for this repository only: the Node of a clone, and `private`, which stays here, where nothing
 * may be published from. What few need is not installed for all.
 */
function publishedPackage() {
  const { private: _, scripts: __, devDependencies: ___, optionalDependencies: ____, ...rest } = read('package.json')
  const { allowScripts: _____, exports, dependencies, ...described } = rest
  const built = Object.entries(exports as Record<string, string>).map(([name, file]) => [name, entry(file)])
  const all = Object.entries(dependencies as Record<string, string>)
  const only = (names: readonly string[]) => Object.fromEntries(all.filter(([name]) => names.includes(name)))
  return {
    ...described,
    exports: Object.fromEntries(built),
    dependencies: only(INSTALLED),
    bundleDependencies: ['better-sqlite3'],
    peerDependencies: { ...only(WHERE_USED), [TYPES]: '*' },
    peerDependenciesMeta: Object.fromEntries([...WHERE_USED, TYPES].map(name => [name, { optional: true }])),
  }
}

function entry(file: string): { types: string; default: string } | string {
  if (!file.endsWith('.ts')) return file
  return { types: file.replace(/\.ts$/, '.d.ts'), default: file.replace(/\.ts$/, '.js') }
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}
