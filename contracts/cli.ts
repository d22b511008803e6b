import { CredentialsError } from './client/credentials.ts'
import { perform, type Word } from './commands/word.ts'
import { CertificateError } from './harness/certificate.ts'
import { UnsafeError } from './harness/confirm-host.ts'
import { ProfileError } from './harness/profile.ts'
import { UsageError } from './harness/registry.ts'
import { EXIT } from './harness/summary.ts'
import { Unreachable } from './harness/unreachable.ts'

/** What can be said after `assay certify`; without a word it is `run`. */
// biome-ignore format: a table reads by its columns
export const WORDS: Readonly<Record<string, { help: string; load: () => Promise<{ word: Word }> }>> = {
  init:    { help: 'write a profile to fill in: its questions are comments',      load: () => import('./commands/init.ts') },
  scout:   { help: 'learn by safe calls what a profile leaves open',              load: () => import('./commands/scout.ts') },
  plan:    { help: 'say what a run would do, and call nobody',                    load: () => import('./commands/plan.ts') },
  run:     { help: 'judge a deployment',                                          load: () => import('./commands/run.ts') },
  show:    { help: 'show an earlier run, or one of its checks',                   load: () => import('./commands/show.ts') },
  explain: { help: 'say what a check means and what it builds on',                load: () => import('./commands/explain.ts') },
  list:    { help: 'name the checks',                                             load: () => import('./commands/list.ts') },
  diff:    { help: 'compare two runs, or two addresses',                          load: () => import('./commands/diff.ts') },
  regrade: { help: 'judge an earlier run again, by the profile as it is now',     load: () => import('./commands/regrade.ts') },
  verify:  { help: 'check the certificate of a run, without any call',            load: () => import('./commands/verify.ts') },
  cleanup: { help: 'say what a run left behind, and take away what can be',       load: () => import('./commands/cleanup.ts') },
}

const HELP = `Judges a deployment by the checks of the contract.

${Object.entries(WORDS)
  .map(([name, { help }]) => `  assay certify ${name.padEnd(9)}${help}`)
  .join('\n')}

  assay certify --profile contracts/profiles/simulator.yaml     the same as "run"
  assay certify WORD --help                                     what a word takes

A check that fails says what it expected, what it got, and shows the exchange. "differs" means that only a decision of
ours is broken which this deployment has not confirmed; "untestable" names the line that the profile lacks.
Exit codes: 0 nothing failed and nothing is missing, 1 something failed, 2 wrong options or profile, 3 nothing could be
measured, 4 a fault of the suite, 5 something could not be judged, 6 a known failure is none any more, 7 stopped for
safety, 8 two runs differ, 9 the certificate is not good.
`

/** The certify command: the exit code says how it went. */
export const main = async (argv: string[]): Promise<number> => {
  try {
    const [first, ...rest] = argv
    if (first === '--help' || first === '-h') return print(HELP)
    const isWord = first !== undefined && !first.startsWith('-')
    const name = isWord ? first : 'run'
    if (!Object.hasOwn(WORDS, name))
      throw new UsageError(`There is no "${name}": "assay certify --help" names what there is.`)
    const loaded = await WORDS[name]?.load()
    return loaded ? await perform(name, loaded.word, isWord ? rest : argv) : EXIT.usage
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    process.stderr.write(`${(error as Error).message}\n`)
    return code
  }
}

/** Faults that a person can mend are one sentence and an exit code. */
const codeOf = (error: unknown): number | undefined => {
  if (error instanceof UnsafeError) return EXIT.safety
  if (error instanceof CertificateError) return EXIT.invalid
  if (error instanceof Unreachable) return EXIT.unmeasured
  const known = error instanceof UsageError || error instanceof ProfileError || error instanceof CredentialsError
  return known ? EXIT.usage : undefined
}

const print = (text: string): number => {
  process.stdout.write(text)
  return EXIT.fine
}
