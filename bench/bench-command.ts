import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureCertify } from './certify/measure-certify.ts'
import { growthSizes, measureGrowth } from './growth/measure-growth.ts'
import type { KeepServer, Server } from './load/start-servers.ts'
import { DIALECTS, measureProcessorCostOfOptions, TELEMETRY } from './options/measure-processor-cost-of-options.ts'
import { measureReplicas } from './replicas/measure-replicas.ts'
import { machineLine } from './report/machine.ts'
import { readScriptArguments, readScriptNumber, refuse } from './report/read-script-arguments.ts'
import { recordFigures, withMachine } from './report/record-figures.ts'
import { type Figures, SECTION_TABLES, type Section } from './report/section-figures-and-tables.ts'
import { installMockServers } from './rivals/install-mock-servers.ts'
import { type LoadLevel, measureSpeed } from './speed/measure-speed.ts'
import { medianOfRuns } from './speed/median-of-runs.ts'
import type { SpeedFigures } from './speed/speed-figures.ts'
import { measureTenants } from './tenants/measure-many-tenants-and-noisy-neighbour.ts'

const HELP = `Measures Assay and prints a table.

  npm run bench [-- options]

                 start to ready, memory, one initiate and whole payments, compared with bare servers
  --rivals       the same compared with public mock servers, installed from the npm registry into a temporary folder
  --growth       search, status and initiate in 1,000 to 100,000 payments; with --million also in a million
  --certify      time and memory of a whole certification
  --replicas     one initiate on one to three replicas over one PostgreSQL, and the round trips of a call
  --tenants      many organizations in one PostgreSQL, up to a million payments (--ten-million: ten), and a noisy neighbour
  --dialects     processor time of a call in three other dialects, compared with our own
  --telemetry    processor time of a call with metrics, and with a log in JSON, compared with one without
  --runs N       start and speed so often, with the median of each figure and the range of each goal; 1, or 5 with --record
  --quick        a fiftieth of the load, as a smoke test
  --json FILE    writes the figures to a file
  --record       writes them to docs/figures.json and docs/figures.md
`

// The first row warms up until hot code is compiled, and is not shown. Memory is measured after all calls.
const FULL: readonly LoadLevel[] = [
  { connections: 50, calls: 10_000, rounds: 1 },
  { connections: 1, calls: 500, rounds: 3 },
  { connections: 10, calls: 2000, rounds: 3 },
  { connections: 50, calls: 2500, rounds: 9 },
]
const QUICK = FULL.map(({ connections, calls }) => ({ connections, calls: calls / 50, rounds: 1 }))

const { values: options } = readScriptArguments({
  options: {
    help: { type: 'boolean', short: 'h' },
    quick: { type: 'boolean' },
    runs: { type: 'string' },
    rivals: { type: 'boolean' },
    growth: { type: 'boolean' },
    certify: { type: 'boolean' },
    replicas: { type: 'boolean' },
    tenants: { type: 'boolean' },
    dialects: { type: 'boolean' },
    telemetry: { type: 'boolean' },
    'ten-million': { type: 'boolean' },
    million: { type: 'boolean' },
    json: { type: 'string' },
    record: { type: 'boolean' },
  },
})

const quick = options.quick === true
const tell = (line: string): void => void process.stderr.write(`${line}\n`)

const countOfRuns = readScriptNumber('--runs', options.runs ?? (options.record ? '5' : '1'), 1, 99)

type Measured = Exclude<Section, 'soak' | 'simulation'>

/** Sections of measurements, one of which is chosen by an option of its name; speed is the default. */
const SECTIONS = [
  'certify',
  'growth',
  'replicas',
  'tenants',
  'dialects',
  'telemetry',
] as const satisfies readonly Measured[]

const MEASURES: { [Name in Measured]: (folder: string, keep: KeepServer) => Promise<Figures[Name]> } = {
  speed: async (folder, keep) => {
    const { had, missing } = options.rivals ? await installMockServers(folder, tell) : { had: [], missing: [] }
    const runs: SpeedFigures[] = []
    for (let run = 0; run < countOfRuns; run += 1) {
      if (run > 0) tell(`Run ${run} is done.`)
      const rivals = run === 0 ? had : [] // they serve for comparison alone, and take most of the time
      const own = mkdtempSync(join(folder, 'run-'))
      const started: Server[] = []
      const keepInRun: KeepServer = server => {
        started.push(server)
        return keep(server)
      }
      runs.push(await measureSpeed({ folder: own, plan: quick ? QUICK : FULL, quick, rivals, keep: keepInRun }))
      await Promise.all(started.map(server => server.stop()))
    }
    const speed = medianOfRuns(runs)
    return { ...speed, missing: [...missing, ...speed.missing] }
  },
  growth: folder => measureGrowth(folder, growthSizes(options)),
  certify: folder => measureCertify(folder),
  replicas: folder => measureReplicas(folder, quick),
  dialects: folder => measureProcessorCostOfOptions(DIALECTS, folder, quick),
  telemetry: folder => measureProcessorCostOfOptions(TELEMETRY, folder, quick),
  tenants: folder => measureTenants({ folder, quick, tenMillion: options['ten-million'] === true, tell }),
}

const measure = async <Name extends Measured>(section: Name): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const running: Server[] = []
  const keep: KeepServer = server => {
    running.push(server)
    return server
  }
  try {
    const measured = withMachine<Name>(await MEASURES[section](folder, keep))
    console.log(`${machineLine(measured.machine)}\n\n${SECTION_TABLES[section](measured.figures)}`)
    if (options.json) writeFileSync(options.json, `${JSON.stringify(measured, null, 2)}\n`)
    if (options.record) recordFigures(section, measured)
  } catch (error) {
    tell(`The measurement stopped: ${(error as Error).message}`)
    process.exitCode = 1
  } finally {
    await Promise.all(running.map(server => server.stop()))
    rmSync(folder, { recursive: true })
  }
}

/** Options that belong to one section, and change nothing in any other. */
const OPTIONS_OF_SECTION = {
  rivals: 'speed',
  runs: 'speed',
  million: 'growth',
  'ten-million': 'tenants',
} as const satisfies Partial<Record<keyof typeof options, Measured>>

/** The one section to measure; refuses a second one, and an option that would change nothing. */
const chosenSection = (): Measured => {
  const [section = 'speed', second] = SECTIONS.filter(name => options[name])
  if (second) refuse(`--${section} and --${second} are two measurements: give one of them.`)
  for (const [option, owner] of Object.entries(OPTIONS_OF_SECTION))
    if (options[option as keyof typeof OPTIONS_OF_SECTION] !== undefined && owner !== section)
      refuse(
        owner === 'speed'
          ? `--${option} is for the speed, which is measured without --${section}.`
          : `--${option} belongs to --${owner}: give both.`,
      )
  return section
}

if (options.help) process.stdout.write(HELP)
else await measure(chosenSection())
