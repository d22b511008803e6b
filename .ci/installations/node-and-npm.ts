import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cell, isPaid, type Row, reasonIn } from './cell.ts'

/** Versions of Node and npm that people have together, and whether node-gyp would find Python and a compiler. */
const MACHINES: readonly (readonly [node: string, npm: string, compiler: boolean])[] = [
  ['18', '10.9', false],
  ['20', '10.9', false],
  ['20', '10.9', true],
  ['22.14', '10.9', false],
  ['22', '10.9', true],
  ['22', '11.3', false],
  ['22', '11.6', false],
  ['24', '11.9', false],
  ['24', 'latest', true],
]

/** Programs that npm may call in each place; without a compiler there is nothing that node-gyp could use. */
const SYSTEM = 'sh bash env git tar ln rm mkdir cp sed uname dirname readlink ls cat du'.split(' ')
const COMPILER = 'python3 make cc c++ gcc g++'.split(' ')

/** What a cell tries, as shell lines in an empty folder: they install and start the sandbox. */
const TRIES = {
  clone: `git clone -q "$ROOT" . && npm ci --no-audit --no-fund && npm start -- --data-dir state --api-port 0 --pages-port 0`,
  package: `cp "$TARBALL" . && npm init -y && npm install --no-audit --no-fund "./\${TARBALL##*/}" && mkdir other-machine && cp package.json package-lock.json *.tgz other-machine && rm -r node_modules *.tgz && cd other-machine && npm ci --no-audit --no-fund && npx @assay-sandbox/assay serve --data-dir state --api-port 0 --pages-port 0`,
} as const

/** What follows where the sandbox is ready: a payment, and for a merchant's project its size in megabytes. */
const PAYMENTS = {
  clone: 'node bin/run.js examples/first-payment.ts state/kit/demo-merchant',
  package: `cd other-machine && sed "s#'../contracts/client/[a-z-]*.ts'#'@assay-sandbox/assay/merchant'#; s#: string##" "$ROOT/examples/first-payment.ts" > pay.mjs && node pay.mjs state/kit/demo-merchant && du -sm node_modules`,
} as const

export const NODE_AND_NPM = {
  title: 'Node, npm and compiler',
  about: `From the first command to the first paid payment. The clone is installed with \`npm ci\` and started with \`npm start\`. The package is
installed in a new merchant's project, again with \`npm ci\` on another machine, and started with \`npx\`: its megabytes are those of
\`node_modules\`, which was empty before. "Python" says whether Python and a C++ compiler are there, which npm might call.`,
  headings: ['Node', 'npm', 'Python', 'clone', 'package in a project'],
}

/** Installs a clone and the package with each of the machines' tools, starts the sandbox and pays. */
export async function* tryNodesAndNpms(root: string, folder: string): AsyncGenerator<Row> {
  const tarball = pack(root, folder)
  for (const [node, npm, compiler] of MACHINES) {
    const path = toolsOf(folder, node, npm, compiler)
    const attempt = (what: keyof typeof TRIES) => tryOne(what, folder, { PATH: path, ROOT: root, TARBALL: tarball })
    yield { names: [node, npm, compiler ? 'yes' : 'no'], cells: [await attempt('clone'), await attempt('package')] }
  }
}

const pack = (root: string, folder: string): string => {
  execFileSync(process.execPath, [join(root, '.ci/build.ts'), join(folder, 'dist')], { stdio: 'inherit' })
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json'], { cwd: join(folder, 'dist') }).toString())
  return join(folder, 'dist', filename)
}

/** Makes a folder with a Node, an npm and the programs of the system; returns it as the PATH. */
const toolsOf = (folder: string, node: string, npm: string, compiler: boolean): string => {
  const path = join(folder, `tools-${node}-${npm}-${compiler}`)
  mkdirSync(path)
  symlinkSync(join(fetched(folder, `node-linux-${process.arch}@${node}`), 'bin/node'), join(path, 'node'))
  const cli = join(fetched(folder, `npm@${npm}`), 'bin')
  for (const name of ['npm', 'npx']) {
    writeFileSync(join(path, name), `#!/bin/sh\nexec node ${cli}/${name}-cli.js "$@"\n`)
    chmodSync(join(path, name), 0o755)
  }
  for (const name of [...SYSTEM, ...(compiler ? COMPILER : [])]) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
    if (found.startsWith('/')) symlinkSync(found, join(path, name))
  }
  return path
}

/** Returns the folder of a package that is installed by itself. */
const fetched = (folder: string, spec: string): string => {
  const place = join(folder, spec.replace('@', '-'))
  const name = spec.slice(0, spec.lastIndexOf('@'))
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--prefix', place, spec], { stdio: 'inherit' })
  return join(place, 'node_modules', name)
}

/** Installs, starts and pays in an empty folder. */
const tryOne = async (what: keyof typeof TRIES, folder: string, variables: NodeJS.ProcessEnv): Promise<Cell> => {
  const cwd = mkdtempSync(join(folder, `${what}-`))
  const start = performance.now()
  const env = { ...variables, HOME: cwd, ...certificatesOf(process.env) }
  const child = spawn('sh', ['-c', TRIES[what]], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let said = ''
  const ready = await new Promise<boolean>(resolve => {
    for (const output of [child.stdout, child.stderr])
      output.on('data', chunk => {
        said += chunk
        if (/^ +Kit .*\n/m.test(said)) resolve(true)
      })
    child.on('exit', () => resolve(false))
  })
  const paid = ready ? spawnSync('sh', ['-c', PAYMENTS[what]], { cwd, env, encoding: 'utf8' }) : undefined
  const seconds = (performance.now() - start) / 1_000
  if (ready && child.pid) {
    process.kill(-child.pid, 'SIGTERM')
    await once(child, 'exit')
  }
  rmSync(cwd, { recursive: true, force: true })
  const refused = /^Assay needs Node .*$/m.exec(said)?.[0].replace(/ and this is v[\d.]+/, '')
  if (refused !== undefined) return { kind: 'unsupported', sentence: refused }
  if (!paid || !isPaid(paid.stdout)) return { kind: 'failed', sentence: reasonIn(paid?.stderr ?? said) }
  const [, megabytes] = /^(\d+)\tnode_modules$/m.exec(paid.stdout) ?? []
  return { kind: 'paid', seconds, ...(megabytes === undefined ? {} : { megabytes: Number(megabytes) }) }
}

/** Variables by which a company's own authority is trusted. */
const certificatesOf = ({ NODE_EXTRA_CA_CERTS, npm_config_cafile }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }),
  ...(npm_config_cafile && { npm_config_cafile }),
})
