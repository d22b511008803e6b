import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readScriptNumber, readScriptWords } from '../../bench/report/read-script-arguments.ts'
import { seededRandom } from '../support/seeded-random.ts'

// npm run explore:drawn [-- COUNT [SEED]]: draws mutants by Stryker, which `npm install --no-save @stryker-mutator/instrumenter`
// installs, and prints how many of them the checks, explore, and both find.

const ROOT = join(import.meta.dirname, '../..')
const MUTATED = /^simulator\/(payments|operations|http\/layers)\/.*\.ts$/
/** A mutant that takes longer runs for ever, and is found. */
const LONGEST_MS = 90_000
const WAYS = ['checks', 'explore'] as const

type Drawn = {
  id: string
  fileName: string
  mutatorName: string
  replacement: string
  location: { start: { line: number } }
}
type SourceFile = { name: string; content: string; mutate: boolean }
type Instrumenter = {
  instrument(files: SourceFile[], options: object): Promise<{ files: SourceFile[]; mutants: Drawn[] }>
}

const words = readScriptWords(2, 'Give two numbers at most: npm run explore:drawn -- COUNT SEED')
const count = readScriptNumber('COUNT', words[0] ?? '100')
const seed = readScriptNumber('SEED', words[1] ?? '1', 0)
const folder = mkdtempSync(join(tmpdir(), 'assay-drawn-'))
process.once('exit', () => rmSync(folder, { recursive: true }))
const mutants = await instrument()
const chance = seededRandom(seed)
const drawn = mutants
  .map(mutant => ({ mutant, place: chance.next() }))
  .sort((a, b) => a.place - b.place)
  .slice(0, count)
for (const way of WAYS)
  if (await isFound({ id: 'none' }, way)) throw new Error(`Without a mutant, the ${way} find one.`)
const found = { checks: 0, explore: 0, both: 0, either: 0 }
for (const [index, { mutant }] of drawn.entries()) {
  const checks = await isFound(mutant, 'checks')
  const explore = await isFound(mutant, 'explore')
  found.checks += Number(checks)
  found.explore += Number(explore)
  found.both += Number(checks && explore)
  found.either += Number(checks || explore)
  const by = WAYS.filter(way => (way === 'checks' ? checks : explore)).join(' and ') || 'neither'
  const { fileName, location, mutatorName, replacement } = mutant
  const what = `${fileName}:${location.start.line} ${mutatorName} ${replacement.replaceAll(/\s+/g, ' ').slice(0, 60)}`
  console.log(`${index + 1} of ${drawn.length}: found by ${by}: ${what}`)
}
const share = (number: number) => `${number} (${Math.round((100 * number) / drawn.length)} %)`
console.log(
  `Of ${drawn.length} mutants of ${mutants.length}: ${share(found.checks)} found by the checks, ${share(found.explore)} by explore, ${share(found.both)} by both, ${share(drawn.length - found.either)} by neither`,
)

/** Copies the project with switches for all mutants but those of texts; returns the mutants. */
async function instrument(): Promise<Drawn[]> {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  for (const file of files) cpSync(join(ROOT, file), join(folder, file))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const name = '@stryker-mutator/instrumenter'
  const { Instrumenter } = (await import(name)) as { Instrumenter: new (log: object) => Instrumenter }
  const silent = new Proxy({}, { get: () => () => false })
  const sources = files
    .filter(file => MUTATED.test(file))
    .map(file => ({ name: file, content: readFileSync(join(ROOT, file), 'utf8'), mutate: true }))
  const result = await new Instrumenter(silent).instrument(sources, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  })
  for (const { name: file, content } of result.files) writeFileSync(join(folder, file), content)
  return result.mutants.filter(({ mutatorName }) => mutatorName !== 'StringLiteral')
}

/** Whether the checks or explore find a mutant, or the simulator cannot run with it. */
function isFound({ id }: Pick<Drawn, 'id'>, way: (typeof WAYS)[number]): Promise<boolean> {
  const child = spawn(process.execPath, ['test/explore/try-stryker-mutant.ts', way], {
    ...{ cwd: folder, stdio: 'ignore', timeout: LONGEST_MS, killSignal: 'SIGKILL' },
    env: { ...process.env, __STRYKER_ACTIVE_MUTANT__: id },
  })
  return new Promise(resolve => child.once('close', code => resolve(code !== 0)))
}
