// Leaves in node_modules what a built package does not hold itself, as it runs on Linux on one processor:
// node prune-node-modules.js NODE_MODULES PACKAGE_JSON [amd64|arm64]
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [modules = '', described = '', processor = process.arch] = process.argv.slice(2)
const arch = processor.replace('amd64', 'x64')
const kept = new Set()

const read = file => JSON.parse(readFileSync(file, 'utf8'))

/** Keeps a package and what it needs; one for another platform is not there. */
function keep(name) {
  const folder = join(modules, name)
  if (kept.has(name) || !existsSync(folder)) return
  kept.add(name)
  const { dependencies, peerDependencies } = read(join(folder, 'package.json'))
  for (const other of Object.keys({ ...dependencies, ...peerDependencies })) keep(other)
}

const { dependencies, peerDependencies } = read(described)
for (const name of Object.keys({ ...dependencies, ...peerDependencies })) keep(name)
const isKept = name => kept.has(name) || [...kept].some(one => one.startsWith(`${name}/`))
const unneeded = globSync(['*', '@*/*'], { cwd: modules }).filter(name => !isKept(name))
const sources = ['deps', 'src', `prebuilds/!(linux-${arch}.node)`].map(part => `better-sqlite3/${part}`)
const unread = globSync([...sources, 'node-addon-api', '**/*.{map,md,ts,mts,cts}'], { cwd: modules })
for (const path of [...unneeded, ...unread]) rmSync(join(modules, path), { recursive: true, force: true })
