import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readScriptArguments } from '../bench/report/read-script-arguments.ts'

// Prints whether this tree goes on with the data folder of each earlier commit that has a release note: one line for each, with
// what a start said that failed. It runs the sources of those commits on the packages that are installed here: npm run upgrades

readScriptArguments({ options: {} })
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'assay-upgrades-'))
const ARCHIVE = { cwd: root, maxBuffer: 2 ** 28 }

type Served = { pagesUrl: string; stop(): Promise<void> }

try {
  const commits = git('log', '--reverse', '--format=%h %s', '--', 'CHANGELOG.md').trim().split('\n')
  let failed = 0
  for (const line of commits) {
    const [commit = ''] = line.split(' ')
    const outcome = await tryOne(commit)
    if (outcome !== 'goes on') failed += 1
    console.log(`${line.slice(0, 72).padEnd(74)}${outcome}`)
  }
  console.log(`${commits.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Makes a data folder with a payment by the sources of a commit; pays again and reads the first payment by these. */
async function tryOne(commit: string): Promise<string> {
  const [tree, dataDir] = [join(folder, commit), join(folder, `${commit}-data`)]
  mkdirSync(tree)
  execFileSync('tar', ['-x', '-C', tree], { input: execFileSync('git', ['archive', commit], ARCHIVE) })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  const before = await serve(tree, dataDir)
  if (typeof before === 'string') return `its own start failed: ${before}`
  pay(tree, dataDir)
  const made = await paymentsOf(before)
  await before.stop()
  const after = await serve(root, dataDir)
  if (typeof after === 'string') return after
  try {
    const kept = await paymentsOf(after)
    if (made.length === 0 || made.some(id => !kept.includes(id))) return 'the payment is lost'
    pay(root, dataDir)
    return (await paymentsOf(after)).length > made.length ? 'goes on' : 'nothing was paid'
  } finally {
    await after.stop()
  }
}

/** Starts the sandbox of a tree; returns the last line that it said if it does not become ready. */
async function serve(tree: string, dataDir: string): Promise<Served | string> {
  const argv = ['bin/assay.js', 'serve', '--data-dir', dataDir, '--api-port', '0', '--pages-port', '0']
  const child = spawn(process.execPath, argv, { cwd: tree, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let said = ''
  const pagesUrl = await new Promise<string | undefined>(resolve => {
    for (const output of [child.stdout, child.stderr])
      output.on('data', chunk => {
        said += chunk
        if (/^ +Kit .*\n/m.test(said)) resolve(/^ +Pages +(\S+)$/m.exec(said)?.[1])
      })
    child.once('close', () => resolve(undefined))
  })
  if (pagesUrl === undefined) return said.trim().split('\n').at(-1) ?? ''
  const stop = async () => {
    child.kill()
    await ended
  }
  return { pagesUrl, stop }
}

function pay(tree: string, dataDir: string): void {
  const argv = ['examples/first-payment.ts', join(dataDir, 'kit/demo-merchant')]
  execFileSync(process.execPath, argv, { cwd: tree, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function paymentsOf({ pagesUrl }: Served): Promise<string[]> {
  const answer = await fetch(`${pagesUrl}/control/organizations/demo-merchant/payments`)
  const { payments } = (await answer.json()) as { payments: { transactionId: string }[] }
  return payments.map(({ transactionId }) => transactionId)
}

function git(...argv: string[]): string {
  return execFileSync('git', argv, { cwd: root, encoding: 'utf8' })
}
