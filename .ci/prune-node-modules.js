// Leaves in node_modules what a built package does not hold itself, as it runs on Linux on one processor:
// node prune-node-modules.js NODE_MODULES PACKAGE_JSON [amd64|arm64]
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [modules = '', described = '', processor = process.arch] = process.argv.slice(2)
const arch = processor.replace('amd64', 'x64')
const kept = new Set()

/** Keeps the installed packages that a package.json names, and what they need themselves. */
function keepNeedsOf(file) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(file, 'utf8'))
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const own = join(modules, name, 'package.json')
    if (kept.has(name) || !existsSync(own)) continue
    kept.add(name)
    keepNeedsOf(own)
  }
}

keepNeedsOf(described)
const isKept = name => kept.has(name) || [...kept].some(one => one.startsWith(`${name}/`))
const unneeded = globSync(['*', '@*/*'], { cwd: modules }).filter(name => !isKept(name))
const sources = ['deps', 'src', `prebuilds/!(linux-${arch}.node)`].map(part => `better-sqlite3/${part}`)
const unread = globSync([...sources, 'node-addon-api', '**/*.{map,md,ts,mts,cts}'], { cwd: modules })
for (const path of [...unneeded, ...unread]) rmSync(join(modules, path), { recursive: true, force: true })
