import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { thisMachine } from '../bench/report/machine.ts'
import { readScriptArguments } from '../bench/report/read-script-arguments.ts'
import { type Row, type Table, tableMarkdown, tableText } from './installations/cell.ts'
import { LANGUAGES, tryLanguages } from './installations/languages.ts'
import { MACHINES, OTHER_MACHINES } from './installations/machines.ts'
import { NETWORKS, tryNetworks } from './installations/networks.ts'
import { NODE_AND_NPM, tryNodesAndNpms } from './installations/node-and-npm.ts'

// Prints where the sandbox can be installed, reached and called: by Node, npm and compiler, behind mapped ports, in a container, from
// each language. It downloads each Node and npm from the registry: npm run installations [-- --write], which writes docs/installations.md.

const { values } = readScriptArguments({ options: { write: { type: 'boolean' } } })
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'assay-installations-'))

try {
  const tables = [await fill(NODE_AND_NPM, tryNodesAndNpms(root, folder))]
  const sandbox = await serve()
  tables.push(await fill(NETWORKS, tryNetworks(root, folder, sandbox.pagesUrl)))
  tables.push(await fill(LANGUAGES, tryLanguages(sandbox.kitFolder, folder)))
  await sandbox.stop()
  tables.push(await fill(MACHINES, OTHER_MACHINES))
  const cells = tables.flatMap(({ rows }) => rows.flatMap(row => row.cells))
  const [paid = 0, failed = 0] = ['paid', 'failed'].map(kind => cells.filter(cell => cell.kind === kind).length)
  console.log(`${paid} paid, ${failed} failed, ${cells.length - paid - failed} unsupported or not tried`)
  if (values.write) writeFileSync(join(root, 'docs/installations.md'), page(tables))
  process.exitCode = failed > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Collects the rows of a table, and shows on a terminal how far it is. */
async function fill(table: Omit<Table, 'rows'>, rows: AsyncIterable<Row> | Iterable<Row>): Promise<Table> {
  const filled: Row[] = []
  for await (const row of rows) {
    filled.push(row)
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K ${table.title}: ${row.names.join(' ')}`)
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  const whole = { ...table, rows: filled }
  console.log(tableText(whole))
  return whole
}

/** Starts the sandbox of this clone on free ports. */
async function serve() {
  const dataDir = join(folder, 'state')
  const argv = ['bin/assay.js', 'serve', '--data-dir', dataDir, '--api-port', '0', '--pages-port', '0']
  const child = spawn(process.execPath, argv, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) {
    said += chunk
    if (/^ +Kit .*\n/m.test(said)) break
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { pagesUrl: /^ +Pages +(\S+)/m.exec(said)?.[1] ?? '', kitFolder: join(dataDir, 'kit/demo-merchant'), stop }
}

function page(tables: readonly Table[]): string {
  const { cpu, cores, memoryGb, date } = thisMachine()
  const machine = `${process.platform} on ${process.arch}: ${cpu}, ${cores} cores, ${memoryGb} GB, ${date}`
  return `<!-- Written by \`npm run installations -- --write\`: run that again instead of editing. -->

# Where it runs

\`npm run installations\` tries every cell below; "paid" is a whole BLIK payment over all three layers, settled and verified. What is
unsupported or was not tried says so in a sentence. Measured on
${machine}. A busy machine takes longer.

${tables.map(tableMarkdown).join('\n')}`
}
