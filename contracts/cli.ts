import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CredentialsError } from './client/credentials.ts'
import type { Result } from './harness/check.ts'
import { type Profile, ProfileError, readProfile } from './harness/profile.ts'
import { choose, registryOf, UsageError } from './harness/registry.ts'
import { jsonReport } from './harness/report-json.ts'
import { junitReport } from './harness/report-junit.ts'
import { painter, textReport } from './harness/report-text.ts'
import { run } from './harness/run.ts'
import { EXIT, type Summary, summarize } from './harness/summary.ts'
import { tierFor } from './harness/tier.ts'
import { JOURNEYS } from './suites/all.ts'
import { createWorld } from './suites/world.ts'

const HELP = `Judges a deployment by the checks of the contract.

  assay certify --profile FILE [options]

  --profile FILE   where the deployment is and how it spells things; contracts/profiles/example.yaml explains each line
  --base-url URL   another address than the profile's
  --kit PATH       another kit: the folder, or its kit.json
  --control URL    another control address (only a simulator has one)
  --only IDS       these checks or sections and their controls: --only IDM-15,SIG
  --tier N         how far to go: 1 reads, 2 writes that must be refused, 3 sandbox writes (default; production stops at 2)
  --junit FILE     write the results as JUnit XML
  --json FILE      write everything as JSON, secrets hidden
  --list           name the checks and call nobody
  --help           this text

  assay certify --profile contracts/profiles/simulator.yaml

A check that fails says what it expected, what it got, and shows the exchange. "differs" means that only a decision of
ours is broken which this deployment has not confirmed; "untestable" names the line that the profile lacks.
Exit codes: 0 nothing failed and nothing is missing, 1 something failed, 2 wrong options or profile, 3 nothing could be
measured, 4 a fault of the suite, 5 something could not be judged.
`

const OPTIONS = {
  profile: { type: 'string' },
  'base-url': { type: 'string' },
  kit: { type: 'string' },
  control: { type: 'string' },
  only: { type: 'string', multiple: true },
  tier: { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The certify command: the exit code says how it went. */
export const main = async (argv: string[]): Promise<number> => {
  try {
    return await certify(readArguments(argv))
  } catch (error) {
    const known = error instanceof UsageError || error instanceof ProfileError || error instanceof CredentialsError
    if (!known) throw error
    process.stderr.write(`${error.message}\n`)
    return EXIT.usage
  }
}

type Arguments = ReturnType<typeof readArguments>

const readArguments = (argv: string[]) => {
  try {
    return parseArgs({ args: argv, options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}: "assay certify --help" tells the options.`)
  }
}

const certify = async (values: Arguments): Promise<number> => {
  const registry = registryOf(JOURNEYS)
  const chosen = choose(registry, names(values.only))
  if (values.help) return print(HELP)
  if (values.list) return print(listing(chosen))
  if (values.profile === undefined)
    throw new UsageError('Name a profile, such as --profile contracts/profiles/simulator.yaml.')
  const profile = readProfile(values.profile, overrides(values))
  const tier = tierFor(profile, values.tier)
  const world = createWorld(profile, tier)
  try {
    const unreachable = await whyUnreachable(profile, world)
    if (unreachable) return complain(unreachable)
    process.stdout.write(`${profile.name}: ${profile.target.baseUrl}, ${profile.target.environment}, tier ${tier}\n\n`)
    const results = await run({
      journeys: JOURNEYS,
      profile,
      world,
      tier,
      chosen,
      transcript: world.transcript,
      onResult: progress(chosen.size),
    })
    return report(results, summarize(results, registry.size), profile, values)
  } finally {
    world.close()
  }
}

const names = (only: string[] = []): string[] =>
  only
    .flatMap(text => text.split(','))
    .map(name => name.trim())
    .filter(Boolean)

const overrides = (values: Arguments) => ({
  ...(values['base-url'] === undefined ? {} : { baseUrl: values['base-url'] }),
  ...(values.kit === undefined ? {} : { kit: values.kit }),
  ...(values.control === undefined ? {} : { control: values.control }),
})

/** One call tells whether anybody is there; what it answers does not matter yet. */
const whyUnreachable = async ({ target }: Profile, { merchant }: ReturnType<typeof createWorld>) => {
  const { fault } = await merchant.request('keySet')
  if (fault)
    return `${target.baseUrl} cannot be reached (${fault.code}: ${fault.message}): is it running, and is the CA of the kit its own?`
}

const complain = (sentence: string): number => {
  process.stderr.write(`${sentence}\n`)
  return EXIT.unmeasured
}

const print = (text: string): number => {
  process.stdout.write(text)
  return EXIT.fine
}

const listing = (chosen: ReadonlySet<string>): string => {
  const rows = JOURNEYS.flatMap(({ tier, checks }) => checks.map(check => ({ tier: check.tier ?? tier, ...check })))
  const shown = rows.filter(({ id }) => chosen.has(id))
  return shown.map(({ id, clause, title, tier }) => `${id.padEnd(9)}T${tier}  ${title} (${clause})\n`).join('')
}

/** On a terminal, one line that tells how far the run is. */
const progress = (total: number): ((result: Result) => void) => {
  if (!process.stderr.isTTY) return () => undefined
  let done = 0
  return ({ id }) => {
    done += 1
    process.stderr.write(done === total ? '\r\x1b[K' : `\r\x1b[K${done} of ${total}  ${id}`)
  }
}

const report = (results: readonly Result[], summary: Summary, profile: Profile, { junit, json }: Arguments): number => {
  if (junit) write(junit, junitReport(results, `${profile.name} ${profile.target.baseUrl}`))
  if (json) write(json, jsonReport(results, summary, profile))
  process.stdout.write(textReport(results, summary, painter(process.stdout)))
  return summary.exitCode
}

const write = (file: string, text: string): void => {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): name a file in a folder that exists.`,
    )
  }
}
