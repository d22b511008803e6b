import { runSubcommand, type Subcommand } from './commands/subcommand.ts'
import { EXIT_CODES } from './harness/report/exit-codes.ts'
import { exitCodeOfError, UsageError } from './harness/run/command-errors.ts'
import { visibleText } from './protocol/visible-text.ts'

type SubcommandModule = { subcommand: Subcommand }

/** The subcommands of `assay certify`, each with its help line and its module; `run` is the default. */
// biome-ignore format: a table reads by its columns
export const SUBCOMMANDS: Readonly<Record<string, { help: string; load: () => Promise<SubcommandModule> }>> = {
  init:    { help: 'write a profile to fill in, with open questions as comments',  load: () => import('./commands/init.ts') },
  scout:   { help: 'find out by safe calls what a profile leaves open',            load: () => import('./commands/scout.ts') },
  plan:    { help: 'list what a run would do, without any call',                   load: () => import('./commands/plan.ts') },
  run:     { help: 'judge a deployment',                                           load: () => import('./commands/run.ts') },
  resume:  { help: 'look at what an earlier run had to wait for',                  load: () => import('./commands/resume.ts') },
  explore: { help: 'play random calls, judged by a model of the contract',         load: () => import('./commands/explore.ts') },
  show:    { help: 'show an earlier run, or one of its checks',                    load: () => import('./commands/show.ts') },
  explain: { help: 'explain a check or a decision',                                 load: () => import('./commands/explain.ts') },
  list:    { help: 'list the checks',                                              load: () => import('./commands/list.ts') },
  diff:    { help: 'compare two runs, or a deployment with its profile',                           load: () => import('./commands/diff.ts') },
  regrade: { help: 'judge an earlier run again, by the present profile',           load: () => import('./commands/regrade.ts') },
  verify:  { help: 'verify the certificate of conformance of a run, offline',      load: () => import('./commands/verify.ts') },
  cleanup: { help: 'list what a run left behind, and remove it where possible',    load: () => import('./commands/cleanup.ts') },
}

const HELP = `Judges a deployment by the checks of the contract.

${Object.entries(SUBCOMMANDS)
  .map(([name, { help }]) => `  assay certify ${name.padEnd(9)}${help}`)
  .join('\n')}

  assay certify --profile contracts/profiles/simulator.yaml     the same as "run"
  assay certify SUBCOMMAND --help                               the options of a subcommand

A failed check reports what it expected and what it got, and shows the exchange. "differs" means that only a decision of
ours is violated that this deployment has not confirmed; "untestable" names the line that the profile lacks.
Exit codes: 0 nothing failed and nothing is missing, 1 a check failed, 2 invalid options or profile, 3 nothing could be
measured, 4 a bug of the suite, 5 some checks could not be judged, 6 a known failure no longer fails, 7 stopped for
safety or not started, 8 diff found a regression or a deployment that differs from its profile, 9 the certificate of conformance is invalid, 10 nothing failed but checks differ.
`

/** Runs `assay certify` with its arguments; returns the exit code. */
export const main = async (argv: string[]): Promise<number> => {
  try {
    const [first, ...rest] = argv
    if (first === '--help' || first === '-h') return print(HELP)
    const isNamed = first !== undefined && !first.startsWith('-')
    const name = isNamed ? first : 'run'
    if (!Object.hasOwn(SUBCOMMANDS, name))
      throw new UsageError(`There is no "${name}": "assay certify --help" lists the subcommands.`)
    const loaded = await SUBCOMMANDS[name]?.load()
    return loaded ? await runSubcommand(name, loaded.subcommand, isNamed ? rest : argv) : EXIT_CODES.usage
  } catch (error) {
    const code = exitCodeOfError(error)
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
    process.stderr.write(`${visibleText(code === undefined ? stack : message)}\n`)
    return code ?? EXIT_CODES.harness
  }
}

const print = (text: string): number => {
  process.stdout.write(text)
  return EXIT_CODES.fine
}
