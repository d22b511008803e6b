import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Prints what works with which Node and npm, with and without a compiler: a clone, and the package in a merchant's project.
// It downloads each of them from the registry: npm run installations

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'assay-installations-'))

/** Versions of Node and npm that people have together, and whether node-gyp would find a compiler. */
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
const SYSTEM = [
  'sh',
  'bash',
  'env',
  'git',
  'tar',
  'ln',
  'rm',
  'mkdir',
  'cp',
  'sed',
  'uname',
  'dirname',
  'readlink',
  'ls',
  'cat',
  'du',
]
const COMPILER = ['python3', 'make', 'cc', 'c++', 'gcc', 'g++']

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

try {
  const tarball = pack()
  console.log('Node      npm     compiler  clone                    package')
  for (const [node, npm, compiler] of MACHINES) {
    const path = toolsOf(node, npm, compiler)
    const cells = [await tryOne('clone', path, tarball), await tryOne('package', path, tarball)]
    const [first = '', second = ''] = cells
    console.log(`${node.padEnd(10)}${npm.padEnd(8)}${(compiler ? 'yes' : 'no').padEnd(10)}${first.padEnd(25)}${second}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function pack(): string {
  execFileSync(process.execPath, [join(root, '.ci/build.ts'), join(folder, 'dist')], { stdio: 'inherit' })
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json'], { cwd: join(folder, 'dist') }).toString())
  return join(folder, 'dist', filename)
}

/** Makes a folder with a Node, an npm and the programs of the system; returns it as the PATH. */
function toolsOf(node: string, npm: string, compiler: boolean): string {
  const path = join(folder, `tools-${node}-${npm}-${compiler}`)
  mkdirSync(path)
  symlinkSync(join(fetched(`node-linux-${process.arch}@${node}`), 'bin/node'), join(path, 'node'))
  const cli = join(fetched(`npm@${npm}`), 'bin')
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
function fetched(spec: string): string {
  const place = join(folder, spec.replace('@', '-'))
  const name = spec.slice(0, spec.lastIndexOf('@'))
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--prefix', place, spec], { stdio: 'inherit' })
  return join(place, 'node_modules', name)
}

/** Installs, starts and pays in an empty folder; returns "paid after 12 s", or the last line of what was said. */
async function tryOne(what: keyof typeof TRIES, path: string, tarball: string): Promise<string> {
  const cwd = mkdtempSync(join(folder, `${what}-`))
  const start = performance.now()
  const env = { PATH: path, HOME: cwd, ROOT: root, TARBALL: tarball, ...certificatesOf(process.env) }
  const child = spawn('sh', ['-c', TRIES[what]], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let said = ''
  const isReady = new Promise<boolean>(resolve => {
    for (const output of [child.stdout, child.stderr])
      output.on('data', chunk => {
        said += chunk
        if (/^ +Kit .*\n/m.test(said)) resolve(true)
      })
    child.on('exit', () => resolve(false))
  })
  const ready = await isReady
  const paid = ready && spawnSync('sh', ['-c', PAYMENTS[what]], { cwd, env, encoding: 'utf8' })
  const seconds = Math.round((performance.now() - start) / 1000)
  if (ready && child.pid) {
    process.kill(-child.pid, 'SIGTERM')
    await once(child, 'exit')
  }
  rmSync(cwd, { recursive: true, force: true })
  if (!paid) return lastLine(said)
  if (!paid.stdout.includes('APPROVED'))
    return `ready, not paid: ${/^\w*Error.*$/m.exec(paid.stderr)?.[0] ?? lastLine(paid.stderr)}`
  const [, megabytes] = /^(\d+)\tnode_modules$/m.exec(paid.stdout) ?? []
  return `paid after ${seconds} s${megabytes === undefined ? '' : `, ${megabytes} MB`}`
}

function lastLine(text: string): string {
  return (text.trim().split('\n').at(-1) ?? '').slice(0, 60)
}

/** Variables by which a company's own authority is trusted. */
function certificatesOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS, npm_config_cafile } = env
  return { ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), ...(npm_config_cafile && { npm_config_cafile }) }
}
