import { writeFileSync } from 'node:fs'
import { guidedRounds } from './coverage-guided-rounds.ts'
import { openFuzzFixture } from './fuzz-fixture.ts'
import { heapInUse } from './heap-in-use.ts'
import { type FuzzFailure, runTarget, withGeneralChecks } from './run-fuzz-target.ts'
import { FUZZ_TARGETS } from './targets/all-targets.ts'
import { watchCoverage } from './watch-code-coverage.ts'

/** Progress of a fuzz target in a child process, one JSON line each. */
export type Progress = { tries: number; heap: number; grown: number; share: number; find?: FuzzFailure }

/** Inputs per round; each round has the next seed. */
const ROUND = 200
/** Megabytes that a part may hold on to at its end beyond what it held after its first rounds. */
const BEARABLE = 40
const WARM = 3
/** CPU time that one input may take here; the test suite has no such limit, since a busy machine breaks it. */
const CPU_SECONDS = 2

const [name = '', seedText = '1', secondsText = '10', way = 'random', lastFile = ''] = process.argv.slice(2)
const part = FUZZ_TARGETS.find(one => one.name === name)
if (!part) throw new Error(`There is no part ${name}.`)

const end = performance.now() + Number(secondsText) * 1000
const fixture = openFuzzFixture()
const coverage = await watchCoverage(part.covers)
const judge = await part.open(fixture)
const before = (input: unknown): void => writeFileSync(lastFile, JSON.stringify(input))
const guided =
  way === 'guided'
    ? guidedRounds({ part, judge: withGeneralChecks(judge, CPU_SECONDS), seed: Number(seedText), coverage, before })
    : undefined

let [tries, heap, warmHeap] = [0, 0, 0]
let find: FuzzFailure | undefined
for (let round = 0; !find && (round === 0 || performance.now() < end); round += 1) {
  const seed = Number(seedText) + round
  const tried = guided
    ? { tries: guided.batch, find: await guided.next() }
    : await runTarget(part, judge, { seed, runs: ROUND, before, cpuSeconds: CPU_SECONDS })
  tries += tried.tries
  if (!guided) await coverage.fresh()
  if (round < WARM || round % 10 === 0) heap = heapInUse()
  if (round < WARM) warmHeap = heap
  const grown = heap - warmHeap
  find =
    tried.find ??
    (grown > BEARABLE
      ? { part: name, seed: Number(seedText), broke: `the heap has grown by ${grown.toFixed(0)} MB`, input: null }
      : undefined)
  const progress: Progress = { tries, heap, grown, share: coverage.share(), ...(find ? { find } : {}) }
  process.stdout.write(`${JSON.stringify(progress)}\n`)
}
await fixture.close()
process.exit(0)
