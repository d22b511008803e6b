import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { readScriptWords, refuse } from '../../bench/report/read-script-arguments.ts'
import { EXPLORABLE_MUTANTS } from './explorable-mutants.ts'
import { exploreMutant } from './explore-mutant.ts'

// npm run explore:mutants [-- WORD]: explores each mutant whose description has the word, by a fixed seed, and prints the score.

const [SEED, CALLS] = [1, 3000]

/** What exploring one mutant showed: the call at which a violation came, and the calls of its counterexample. */
type Score = { does: string; foundAt?: number; calls: number; length?: number; hits: number; error?: string }

const [word = '', slice] = readScriptWords(process.send ? 2 : 1, 'Give one word: npm run explore:mutants -- WORD')
const chosen = EXPLORABLE_MUTANTS.filter(({ does, caughtBy }) => `${does} ${caughtBy.join(' ')}`.includes(word))
if (chosen.length === 0) refuse(`No mutant's description has "${word}": give a word of one, or none for all.`)
const processes = Math.min(2, availableParallelism(), chosen.length)
if (slice === undefined) await whole()
else
  for (const mutant of chosen.filter((_, index) => index % processes === Number(slice)))
    process.send?.(await scoreOf(mutant))

async function scoreOf(mutant: (typeof EXPLORABLE_MUTANTS)[number]): Promise<Score> {
  const { does } = mutant
  try {
    const { calls, shortest, hits } = await exploreMutant(mutant, { seed: SEED, calls: CALLS })
    return { does, calls, hits, ...(shortest && { foundAt: calls, length: shortest }) }
  } catch (error) {
    return { does, calls: 0, hits: 0, error: String(error) }
  }
}

async function whole(): Promise<void> {
  const scores: Score[] = []
  const children = Array.from({ length: processes }, (_, index) => fork(import.meta.filename, [word, String(index)]))
  for (const child of children)
    child.on('message', (score: Score) => {
      scores.push(score)
      console.log(lineOf(score))
    })
  await Promise.all(children.map(child => once(child, 'exit')))
  const found = scores
    .flatMap(({ foundAt, length }) => (foundAt === undefined ? [] : [length ?? 0]))
    .sort((a, b) => a - b)
  const share = Math.round((100 * found.length) / scores.length)
  const median = found[Math.floor(found.length / 2)] ?? 0
  console.log(
    `${found.length} of ${scores.length} mutants found within ${CALLS} calls (${share} %); median counterexample: ${median} calls`,
  )
}

function lineOf({ does, foundAt, length, calls, hits, error }: Score): string {
  if (error !== undefined) return `  error: ${does}: ${error}`
  if (foundAt === undefined) return `  not found in ${calls} calls (mutated code ran ${hits} times): ${does}`
  return `  found at call ${foundAt}, ${length} calls: ${does}`
}
