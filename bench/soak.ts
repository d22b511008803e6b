import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machineLine, thisMachine } from './machine.ts'
import { dated, record } from './record.ts'
import { soak } from './soak/run.ts'
import type { Sample } from './soak/sample.ts'
import { HEAD, sampleLine, soakTable } from './soak/table.ts'

const HELP = `Loads a sandbox for minutes and says whether it stays as it is: exit code 0 where it does,
1 where something grows or the time was too short to say, 2 where it could not go on.

  npm run soak [-- options]

  --minutes N              how long (3)
  --laps N                 or how often: a lap is three days of the sandbox's clock
  --keep-payments DURATION how long the sandbox keeps payments; "ever" for ever, and the database grows (P7D)
  --json FILE              leaves every sample in a file
  --record                 puts the verdict into docs/figures.json and docs/figures.md
`

/** Lines that are printed on the way, whatever the time. */
const LINES = 24

const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    minutes: { type: 'string', default: '3' },
    laps: { type: 'string' },
    'keep-payments': { type: 'string', default: 'P7D' },
    json: { type: 'string' },
    record: { type: 'boolean' },
  },
})

const printer = (seconds: number) => {
  let told = 0
  return (sample: Sample): void => {
    if (Number.isFinite(seconds) && sample.seconds < (told * seconds) / LINES) return
    told += 1
    console.log(sampleLine(sample))
  }
}

const main = async (): Promise<number> => {
  const laps = options.laps === undefined ? Number.POSITIVE_INFINITY : Number(options.laps)
  const seconds = options.laps === undefined ? Number(options.minutes) * 60 : Number.POSITIVE_INFINITY
  if (!(seconds > 0 && laps > 0)) {
    console.error('--minutes and --laps are numbers above 0: give such a one.')
    return 2
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-soak-'))
  try {
    console.log(`${machineLine(thisMachine())}\n\n${HEAD}`)
    const keepPayments = options['keep-payments'] === 'ever' ? undefined : options['keep-payments']
    const measured = dated<'soak'>(await soak({ dataDir, seconds, laps, keepPayments, tell: printer(seconds) }))
    console.log(`\n${soakTable(measured.figures)}`)
    if (options.json) writeFileSync(options.json, `${JSON.stringify(measured, null, 2)}\n`)
    if (options.record) record('soak', measured)
    return measured.figures.verdict === 'flat' ? 0 : 1
  } catch (error) {
    console.error(`The soak stopped: ${(error as Error).message}`)
    return 2
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

if (options.help) process.stdout.write(HELP)
else process.exitCode = await main()
