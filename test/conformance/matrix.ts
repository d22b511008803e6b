import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killMatrix } from './kill-matrix.ts'
import type { Saboteur } from './sabotage.ts'
import { SABOTEURS } from './saboteurs.ts'
import { faultsOf, tryOut } from './trial.ts'

// Every saboteur against the full plan, on two cores; prints what is not as told, and the published table where all is.

const PROCESSES = 2

/** `before` holds the faults of a first try that the machine has spoilt. */
type Tried = { does: string; faults: string[]; before?: string[] }

const [, , slice] = process.argv
if (slice === undefined) process.exitCode = await whole()
else await part(Number(slice))

async function part(first: number): Promise<void> {
  for (const saboteur of SABOTEURS.filter((_, index) => index % PROCESSES === first)) {
    const { does } = saboteur
    const faults = await faultsWith(saboteur)
    const tried: Tried = isOfTheMachine(faults)
      ? { does, faults: await faultsWith(saboteur), before: faults }
      : { does, faults }
    process.send?.(tried)
  }
}

async function faultsWith(saboteur: Saboteur): Promise<string[]> {
  return tryOut(saboteur).then(
    trial => faultsOf(saboteur, trial),
    error => [String(error)],
  )
}

/** A call that a busy machine kept from its answer has shown nothing; a check that condemns what it should not has. */
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
  const retries = again > 0 ? `, ${again} of them tried once more` : ''
  console.log(`${tried.length - wrong.length} of ${SABOTEURS.length} saboteurs were caught as told${retries}`)
  if (wrong.length > 0 || tried.length < SABOTEURS.length) return 1
  writeFileSync(join(import.meta.dirname, '../../docs/kill-matrix.md'), killMatrix())
  console.log('docs/kill-matrix.md')
  return 0
}

function told(tried: Tried, before: number): Tried {
  const { does, faults, before: first } = tried
  if (first) console.log(`${does}: tried once more, after\n  ${first.join('\n  ')}`)
  if (faults.length > 0) console.log(`${does}\n  ${faults.join('\n  ')}`)
  else if (process.stdout.isTTY) console.log(`${before + 1}/${SABOTEURS.length} ${does}`)
  return tried
}
