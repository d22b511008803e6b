import { CallError } from '../client/call-errors.ts'
import { Blocked, Inconclusive } from '../harness/judge/verdict-errors.ts'
import type { Rules } from '../model/decided-rules-of-deployment.ts'
import type { Stage } from './organizations-and-values-of-play.ts'
import { confirmedPlay, playPatiently, playSequence } from './play-and-confirm-sequence.ts'
import type { Play } from './play-and-judge-steps.ts'
import { type Step, withoutDangling } from './step.ts'

/**
 * The shortest sequence found that still shows a violation, and how many of its replays showed it; no replay where an
 * early end kept it from being confirmed.
 */
export type Shrunk = { steps: Step[]; play: Play; shown: number; replays: number }

/** Plays again at most; a service that responds slowly is not held up for ever. */
const MOST_PLAYS = 150
const REPLAYS = 10

/** What makes two violations the same: the kind of step, and what the response was. */
const kindOf = ({ violation, played }: Play): string => {
  const response = played.find(({ step }) => step.id === violation?.step.id)?.response
  return `${violation?.step.do} ${response?.http} ${violation?.clauses[0]}`
}

/** Members of a step without which it is simpler. */
const SPARED = [
  'together',
  'fault',
  'lost',
  'key',
  'account',
  'by',
  'reference',
  'payer',
  'type',
  'autoCapture',
  'amount',
] as const
const SHORTEST = 'PT6S'

const without = (step: Step, spared: (typeof SPARED)[number]): Step => {
  const { [spared]: _, ...rest } = step
  return rest
}

/** Simpler forms of one step. */
const simplerSteps = (step: Step): Step[] => [
  ...(step.time === undefined || step.time === SHORTEST ? [] : [{ ...step, time: SHORTEST }]),
  ...SPARED.filter(name => step[name] !== undefined).map(name => without(step, name)),
]

/** Sequences in which a member is missing from all steps, or in which the first call is repeated in place of a later one. */
const simplerThroughout = (steps: readonly Step[]): Step[][] => [
  ...SPARED.flatMap(name => {
    const is = steps.filter(step => step[name] !== undefined).length > 1
    return is ? [steps.map(step => without(step, name))] : []
  }),
  ...steps.flatMap((step, index) => {
    const [first] = steps
    const isLater = first && index > 0 && step.again !== undefined && step.again !== first.id
    return isLater ? [withoutDangling(steps.with(index, { ...step, again: first.id }))] : []
  }),
]

/** Sequences that are simpler by one change: without a run of steps, the longest run first, or with one step simpler. */
function* simpler(steps: readonly Step[]): Generator<Step[]> {
  for (let length = Math.floor(steps.length / 2); length >= 1; length = Math.floor(length / 2))
    for (let from = 0; from + length <= steps.length; from += 1) yield withoutDangling(steps.toSpliced(from, length))
  yield* simplerThroughout(steps)
  for (const [index, step] of steps.entries()) for (const other of simplerSteps(step)) yield steps.with(index, other)
}

/**
 * Shrinks a violating sequence by playing it again with less, and counts how many of ten replays show the violation.
 */
export const shrink = async (
  newStage: () => Promise<Stage>,
  found: { steps: readonly Step[]; play: Play },
  rules: Rules,
): Promise<Shrunk> => {
  const wanted = kindOf(found.play)
  let plays = 0
  const playAgain = async (steps: readonly Step[]): Promise<Play> => playSequence(await newStage(), steps, rules)
  /** A play of a sequence that shows the violation; calls at once, which may race, are given another chance. */
  const showing = async (steps: readonly Step[]): Promise<Play | undefined> => {
    for (let left = steps.some(({ together }) => together) ? 2 : 1; left > 0; left -= 1) {
      plays += 1
      const play = await playAgain(steps)
      if (kindOf(play) === wanted) return play
    }
    return undefined
  }
  const last = found.steps.findIndex(({ id }) => id === found.play.violation?.step.id)
  const whole = { steps: found.steps.slice(0, last + 1), play: found.play }
  let best = whole
  const makeSimpler = async (): Promise<void> => {
    for (let isBetter = true; isBetter && plays < MOST_PLAYS; ) {
      isBetter = false
      for (const steps of simpler(best.steps)) {
        if (plays >= MOST_PLAYS) break
        if (steps.length === 0) continue
        const play = await showing(steps)
        if (!play) continue
        best = { steps, play }
        isBetter = true
        break
      }
    }
    const play = await confirmedPlay(newStage, best, rules)
    best = play ? { ...best, play } : whole
  }
  await makeSimpler().catch(unlessStopped)
  const replay = async (): Promise<Play> => playPatiently(await newStage(), best.steps, rules)
  const replays = await countReplays(replay, kindOf(best.play))
  return { ...best, steps: [...best.steps], ...replays }
}

/** What ends the shrinking: a budget that is spent, a signal, a token that is not given, a control address that fails. */
const ENDING = [Inconclusive, CallError, Blocked]

/** What was found is told all the same. */
const unlessStopped = (error: unknown): undefined => {
  if (!ENDING.some(kind => error instanceof kind)) throw error
}

const countReplays = async (
  playAgain: () => Promise<Play>,
  wanted: string,
): Promise<{ shown: number; replays: number }> => {
  let shown = 0
  for (let played = 0; played < REPLAYS; played += 1) {
    const play = await playAgain().catch(unlessStopped)
    if (!play) return { shown: shown + 1, replays: played + 1 } // with the play that found it
    if (kindOf(play) === wanted) shown += 1
  }
  return { shown, replays: REPLAYS }
}
