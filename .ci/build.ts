import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// Builds dist/: plain JavaScript with its types and the files it reads, and the package.json of what others install.

const root = join(import.meta.dirname, '..')
const dist = resolve(process.argv[2] ?? join(root, 'dist'))

/** What the code reads beside itself. */
const DATA = [
  'README.md',
  'contracts/DECISIONS.md',
  'contracts/harness/page',
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
for (const file of globSync('**/*.d.ts', { cwd: dist })) spellForOthers(join(dist, file))
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(packageForOthers(), null, 2)}\n`)

/** A declaration names its neighbours as JavaScript: compilers that know no .ts endings read it too. */
function spellForOthers(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2'))
}

function packageForOthers(): object {
  const { scripts: _, devDependencies: __, allowScripts: ___, exports, ...rest } = read('package.json')
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
