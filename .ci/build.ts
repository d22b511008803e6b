import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// Builds dist/: JavaScript with type declarations, data files and the package.json of the installable package.

const root = join(import.meta.dirname, '..')
const dist = resolve(process.argv[2] ?? join(root, 'dist'))

/** Files of the package beside its code: license, readme, and data that the code reads at runtime. */
const DATA = [
  'LICENSE',
  'README.md',
  'contracts/decisions.yaml',
  'contracts/harness/report/page',
  'contracts/openapi.yaml',
  'contracts/profiles',
  'hosted-pages/assets',
  'scenarios',
  'simulator/control/openapi.yaml',
  ...globSync('contracts/**/*.schema.json', { cwd: root }),
]

rmSync(dist, { recursive: true, force: true })
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '--project', 'tsconfig.build.json', '--outDir', dist],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
for (const path of DATA) cpSync(join(root, path), join(dist, path), { recursive: true })
for (const file of globSync('**/*.d.ts', { cwd: dist })) useJavaScriptExtensions(join(dist, file))
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publishedPackage(), null, 2)}\n`)

/** Changes relative imports of a declaration file from .ts to .js, which every compiler resolves. */
function useJavaScriptExtensions(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2'))
}

/** package.json without what is for this repository only; `private` stays here, where nothing may be published from. */
function publishedPackage(): object {
  const { private: _, scripts: __, devDependencies: ___, allowScripts: ____, exports, ...rest } = read('package.json')
  const built = Object.entries(exports as Record<string, string>).map(([name, file]) => [name, entry(file)])
  return { ...rest, exports: Object.fromEntries(built) }
}

function entry(file: string): object | string {
  if (!file.endsWith('.ts')) return file
  return { types: file.replace(/\.ts$/, '.d.ts'), default: file.replace(/\.ts$/, '.js') }
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}
