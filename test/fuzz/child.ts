import { writeFileSync } from 'node:fs'
import { watchCoverage } from './coverage.ts'
import { guidedRounds } from './guided.ts'
import { heapInUse } from './heap.ts'
import { openHouse } from './house.ts'
import { PARTS } from './parts/index.ts'
import { type Find, tryPart, watching } from './try-part.ts'

/** What a part in a process of its own says, a line of JSON each time. */
export type Progress = { tries: number; heap: number; grown: number; share: number; find?: Find }

/** Inputs of one seed; the next round has the next seed. */
const ROUND = 200
/** Megabytes that a part may hold on to at its end beyond what it held after its first rounds. */
const BEARABLE = 40
const WARM = 3

const [name = '', seedText = '1', secondsText = '10', way = 'random', lastFile = ''] = process.argv.slice(2)
const part = PARTS.find(one => one.name === name)
if (!part) throw new Error(`There is no part ${name}.`)

const end = performance.now() + Number(secondsText) * 1000
const house = openHouse()
const coverage = await watchCoverage(part.covers)
const judge = await part.open(house)
const before = (input: unknown): void => writeFileSync(lastFile, JSON.stringify(input))
const guided =
  way === 'guided'
    ? guidedRounds({ part, judge: watching(part, judge), seed: Number(seedText), coverage, before })
    : undefined

let [tries, heap, warmHeap] = [0, 0, 0]
let find: Find | undefined
for (let round = 0; !find && (round === 0 || performance.now() < end); round += 1) {
  const seed = Number(seedText) + round
  const tried = guided
    ? { tries: guided.batch, find: await guided.next() }
    : await tryPart(part, judge, { seed, runs: ROUND, before })
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
await house.close()
process.exit(0)
