import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readScriptArguments } from '../../../bench/report/read-script-arguments.ts'
import { certifyMutant, unexpectedResults } from './certify-mutant.ts'
import { GRID_MUTANTS } from './grid-mutants.ts'
import type { Mutant } from './mutant.ts'
import { MUTANTS } from './mutants-outside-grids.ts'

// Runs all checks against every mutant in two processes; prints differences from their rows in docs/kill-matrix.md.

const PROCESSES = 2
const EVERY_MUTANT = [...MUTANTS, ...GRID_MUTANTS]

/** Result for one mutant; `before` holds the differences of a first run in which a call timed out. */
type Tried = { does: string; faults: string[]; before?: string[] }

if (process.send) await part(Number(process.argv[2]))
else {
  readScriptArguments({ options: {} })
  process.exitCode = await whole()
}

async function part(first: number): Promise<void> {
  for (const saboteur of EVERY_MUTANT.filter((_, index) => index % PROCESSES === first)) {
    const { does } = saboteur
    const faults = await faultsWith(saboteur)
    const tried: Tried = isOfTheMachine(faults)
      ? { does, faults: await faultsWith(saboteur), before: faults }
      : { does, faults }
    process.send?.(tried)
  }
}

async function faultsWith(saboteur: Mutant): Promise<string[]> {
  return certifyMutant(saboteur).then(
    trial => unexpectedResults(saboteur, trial),
    error => [String(error)],
  )
}

/** Whether the differences may come from a timed-out call alone: no unexpected failure and no harness error. */
function isOfTheMachine(faults: readonly string[]): boolean {
  const isFinding = (fault: string) => /has caught it and should not|harness error/.test(fault)
  return faults.some(fault => fault.includes(' inconclusive: no answer')) && !faults.some(isFinding)
}

async function whole(): Promise<number> {
  const tried: Tried[] = []
  const children = Array.from({ length: PROCESSES }, (_, index) => fork(import.meta.filename, [String(index)]))
  for (const child of children) child.on('message', (message: Tried) => void tried.push(told(message, tried.length)))
  await Promise.all(children.map(child => once(child, 'exit')))
  const wrong = tried.filter(({ faults }) => faults.length > 0)
  const again = tried.filter(({ before }) => before).length
  const retries = again > 0 ? `, ${again} of them run twice` : ''
  console.log(`${tried.length - wrong.length} of ${EVERY_MUTANT.length} mutants were caught as listed${retries}`)
  return wrong.length > 0 || tried.length < EVERY_MUTANT.length ? 1 : 0
}

function told(tried: Tried, before: number): Tried {
  const { does, faults, before: first } = tried
  if (first) console.log(`${does}: run again, after\n  ${first.join('\n  ')}`)
  if (faults.length > 0) console.log(`${does}\n  ${faults.join('\n  ')}`)
  else if (process.stdout.isTTY) console.log(`${before + 1}/${EVERY_MUTANT.length} ${does}`)
  return tried
}
