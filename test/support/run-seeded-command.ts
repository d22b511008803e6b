import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Command-line options of the seeded test commands (crash, outages): `--seed` and `--json`. */
export const SEEDED_TEST_COMMAND_OPTIONS = {
  seed: { type: 'string', default: String(Date.now() % 100_000) },
  json: { type: 'boolean', default: false },
} as const

type Proof<Report> = {
  name: string
  seed: number
  json: boolean
  run(folder: string): Promise<Report>
  rows(report: Report): readonly (readonly [what: string, figure: number])[]
}

const MOST_PROBLEMS = 20
const LONGEST_PROBLEM = 300

/** Runs a seeded test command in a temporary folder, kept on failure; prints its report and returns the exit code. */
export const runSeededTestCommand = async <Report extends { problems: readonly string[] }>(
  proof: Proof<Report>,
): Promise<number> => {
  const { name, seed, json, run, rows } = proof
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130)) // its child processes end with it
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`))
  console.error(`Seed ${seed} (repeat with --seed ${seed})`)
  try {
    const report = await run(folder)
    console.log(json ? JSON.stringify(report, null, 2) : [...rows(report).map(line), ...told(report)].join('\n'))
    if (report.problems.length === 0) {
      rmSync(folder, { recursive: true })
      return 0
    }
    console.error(`Its files are in ${folder}.`)
  } catch (error) {
    console.error(`The run stopped: ${(error as Error).stack}\nIts files are in ${folder}.`)
  }
  return 1
}

const line = ([what, figure]: readonly [string, number]): string =>
  `${what.padEnd(36)}${figure.toLocaleString('en').padStart(9)}`

const told = ({ problems }: { problems: readonly string[] }): string[] =>
  problems.slice(0, MOST_PROBLEMS).map(problem => `- ${problem.slice(0, LONGEST_PROBLEM)}`)
