import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureCertify } from './certify.ts'
import { measureGrowth, sizesOf } from './growth.ts'
import { machineLine } from './machine.ts'
import { dated, record } from './record.ts'
import { measureReplicas } from './replicas.ts'
import { rivalsToMeasure } from './rivals/start.ts'
import type { Keep, Server } from './servers.ts'
import { type Level, measureSpeed } from './speed.ts'
import { type Figures, type Section, TABLES } from './tables.ts'
import { measureTenants } from './tenants.ts'

const HELP = `Measures Assay and prints a table.

  npm run bench [-- options]

                 start to ready, memory, one initiate and whole payments, beside bare servers
  --rivals       the same beside public mock servers, which it gets from the npm registry into a folder for temporary files
  --growth       search, status and initiate in 1,000 to 100,000 payments; with --million also in a million
  --certify      time and memory of a whole certification
  --replicas     one initiate on one to three replicas over one PostgreSQL, and what a call waits for
  --tenants      many organizations in one PostgreSQL, to a million payments (--ten-million: ten), and a loud neighbour
  --quick        a tenth of it, to see that it works
  --json FILE    leaves the figures in a file
  --record       puts them into docs/figures.json and docs/figures.md
`

// The first row warms up and is not shown: so many calls until all that is hot is compiled. Memory is that after all calls.
const FULL: readonly Level[] = [
  { connections: 50, calls: 10_000, rounds: 1 },
  { connections: 1, calls: 500, rounds: 3 },
  { connections: 10, calls: 2000, rounds: 3 },
  { connections: 50, calls: 2500, rounds: 9 },
]
const QUICK = FULL.map(({ connections, calls }) => ({ connections, calls: calls / 10, rounds: 1 }))

const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    quick: { type: 'boolean' },
    rivals: { type: 'boolean' },
    growth: { type: 'boolean' },
    certify: { type: 'boolean' },
    replicas: { type: 'boolean' },
    tenants: { type: 'boolean' },
    'ten-million': { type: 'boolean' },
    million: { type: 'boolean' },
    json: { type: 'string' },
    record: { type: 'boolean' },
  },
})

const quick = options.quick === true
const tell = (line: string): void => void process.stderr.write(`${line}\n`)

type Measured = Exclude<Section, 'soak'>

/** Each by an option of its name; without one, speed. */
const SECTIONS = ['certify', 'growth', 'replicas', 'tenants'] as const satisfies readonly Measured[]

const MEASURES: { [Name in Measured]: (folder: string, keep: Keep) => Promise<Figures[Name]> } = {
  speed: async (folder, keep) => {
    const { had, missing } = options.rivals ? await rivalsToMeasure(folder, tell) : { had: [], missing: [] }
    const speed = await measureSpeed({ folder, plan: quick ? QUICK : FULL, quick, rivals: had, keep })
    return { ...speed, missing: [...missing, ...speed.missing] }
  },
  growth: folder => measureGrowth(folder, sizesOf(options)),
  certify: folder => measureCertify(folder),
  replicas: folder => measureReplicas(folder, quick),
  tenants: folder => measureTenants({ folder, quick, tenMillion: options['ten-million'] === true, tell }),
}

const measure = async <Name extends Measured>(section: Name): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const running: Server[] = []
  const keep: Keep = server => {
    running.push(server)
    return server
  }
  try {
    const measured = dated<Name>(await MEASURES[section](folder, keep))
    console.log(`${machineLine(measured.machine)}\n\n${TABLES[section](measured.figures)}`)
    if (options.json) writeFileSync(options.json, `${JSON.stringify(measured, null, 2)}\n`)
    if (options.record) record(section, measured)
  } catch (error) {
    tell(`The measurement stopped: ${(error as Error).message}`)
    process.exitCode = 1
  } finally {
    await Promise.all(running.map(server => server.stop()))
    rmSync(folder, { recursive: true })
  }
}

if (options.help) process.stdout.write(HELP)
else await measure(SECTIONS.find(name => options[name]) ?? 'speed')
