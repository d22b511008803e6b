import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineLine, thisMachine } from '../report/machine.ts'
import { readScriptAmount, readScriptArguments, readScriptNumber } from '../report/read-script-arguments.ts'
import { recordFigures, withMachine } from '../report/record-figures.ts'
import type { Sample } from './resource-usage-sample.ts'
import { runSoak } from './run-soak.ts'
import { SAMPLE_HEAD, sampleLine, soakTable } from './soak-table.ts'

const HELP = `Loads a sandbox for minutes and reports whether its resource usage is stable: exit code 0 if it is,
1 if something grows or the time was too short to tell, 2 if the run could not continue.

  npm run soak [-- options]

  --minutes N              duration (3)
  --laps N                 or the number of laps: a lap is three days of the sandbox's clock
  --keep-payments DURATION retention of payments; "ever" keeps all, and the database grows (P7D)
  --json FILE              writes every sample to a file
  --record                 writes the verdict to docs/figures.json and docs/figures.md
`

/** Number of progress lines printed during a run. */
const LINES = 24

const { values: options } = readScriptArguments({
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
  const laps = options.laps === undefined ? Number.POSITIVE_INFINITY : readScriptNumber('--laps', options.laps)
  const minutes = readScriptAmount('--minutes', options.minutes)
  const seconds = options.laps === undefined ? minutes * 60 : Number.POSITIVE_INFINITY
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-soak-'))
  try {
    console.log(`${machineLine(thisMachine())}\n\n${SAMPLE_HEAD}`)
    const keepPayments = options['keep-payments'] === 'ever' ? undefined : options['keep-payments']
    const measured = withMachine<'soak'>(
      await runSoak({ dataDir, seconds, laps, keepPayments, tell: printer(seconds) }),
    )
    console.log(`\n${soakTable(measured.figures)}`)
    if (options.json) writeFileSync(options.json, `${JSON.stringify(measured, null, 2)}\n`)
    if (options.record) recordFigures('soak', measured)
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
